function result = xsim_read(file)
%XSIM_READ  Reads a result of xsim into a struct, for MATLAB and GNU Octave.
%
%   result = xsim_read("pendulum.h5")
%
%   result.time                        T x 1, s
%   result.bodies.name                 cell array of names
%   result.bodies.position             T x bodies x 3; all axes in the order of the README
%   result.joints.coordinate           T x joints x 3
%   result.rods.beam.position          T x nodes x 3; a name that is no field's ("rope-1") becomes one
%                                      by matlab.lang.makeValidName, result.rods.name has it as it is
%   result.contacts.first              rows of the others, counted from 1 (in the file from 0)
%   result.energy.total, result.residual.constraint, ...
%   result.status, result.xsim_version, result.time_step
%
% Numbers are double. A record that a running or killed run has not finished is left out. /provenance and
% /checkpoint are left out, too: jsondecode(h5read(file, "/provenance/resolved")) gives all parameters.
%
% MATLAB reads by h5info and h5read. Octave has none of its own that reads a result, so that there HDF5's
% tools h5ls and h5dump are called (on Debian the package hdf5-tools).

  file = char(file);
  if exist(file, "file") ~= 2
    error("xsim_read: %s: there is no such file", file);
  end
  in_octave = exist("OCTAVE_VERSION", "builtin") ~= 0;
  if in_octave
    [paths, sizes, types] = list_octave(file);
  else
    [paths, sizes, types] = list_matlab(h5info(file));
  end
  if ~any(strcmp(paths, "/time"))
    error("xsim_read: %s: has no /time, so it is not a result of xsim", file);
  end

  result = struct();
  for name = {"status", "xsim_version", "git_commit", "time_step"}
    if in_octave
      result.(name{1}) = attribute_octave(file, name{1});
    else
      result.(name{1}) = h5readatt(file, "/", name{1});
    end
  end
  for text = {"status", "xsim_version", "git_commit"}
    result.(text{1}) = clean(result.(text{1}));
  end
  for k = 1:numel(paths)
    if in_octave
      values = read_octave(file, paths{k}, sizes{k}, types{k});
    else
      values = read_matlab(file, paths{k});
    end
    where = strsplit(paths{k}(2:end), "/");
    where = cellfun(@matlab.lang.makeValidName, where, "UniformOutput", false);
    result = setfield(result, where{:}, values);
  end
  result = cut(result, numel(result.time), {});
  if isfield(result, "contacts")
    result.contacts.first = result.contacts.first + 1;
  end
end

% ---- MATLAB ----

function [paths, sizes, types] = list_matlab(group)
  paths = {};
  sizes = {};
  types = {};
  for dataset = group.Datasets'
    paths{end + 1} = [strip_slash(group.Name) '/' dataset.Name]; %#ok<AGROW>
    sizes{end + 1} = fliplr(dataset.Dataspace.Size); %#ok<AGROW>
    types{end + 1} = dataset.Datatype.Class; %#ok<AGROW>
  end
  for inner = group.Groups'
    if is_left_out(inner.Name), continue; end
    [p, s, t] = list_matlab(inner);
    paths = [paths p]; %#ok<AGROW>
    sizes = [sizes s]; %#ok<AGROW>
    types = [types t]; %#ok<AGROW>
  end
end

function name = strip_slash(name)
  if strcmp(name, "/"), name = ''; end
end

% MATLAB lists dimensions in the opposite order.
function values = read_matlab(file, path)
  values = h5read(file, path);
  if isnumeric(values)
    values = double(values);
    if ~isvector(values), values = permute(values, ndims(values):-1:1); end
  else
    values = cellfun(@clean, cellstr(values), "UniformOutput", false);
  end
end

% ---- Octave, by h5ls and h5dump ----

function text = tool(varargin)
  command = sprintf(" '%s'", varargin{:});
  [status, text] = system([command(2:end) " 2>&1"]);
  if status ~= 0
    error("xsim_read: %s failed (is Debian's hdf5-tools installed?): %s", varargin{1}, text);
  end
end

% Lines "/bodies/position Dataset {301/Inf, 3/3, 3/3}", each followed by lines on it, of which "    Type:"
% (4 spaces; an attribute's has 8) says what its elements are.
function [paths, sizes, types] = list_octave(file)
  paths = {};
  sizes = {};
  types = {};
  found = false;
  for line = strsplit(tool("h5ls", "-rv", file), "\n")
    head = regexp(line{1}, '^(/\S+)\s+Dataset \{(.*)\}', "tokens", "once");
    type = regexp(line{1}, '^    Type:\s+(.*)$', "tokens", "once");
    if ~isempty(head)
      found = ~is_left_out(head{1});
      if ~found, continue; end
      paths{end + 1} = head{1};
      sizes{end + 1} = cellfun(@str2double, regexp(head{2}, '(\d+)/', "tokens"));
      types{end + 1} = "";
    elseif found && ~isempty(type) && isempty(types{end})
      types{end} = type{1};
    end
  end
end

function values = read_octave(file, path, dims, type)
  if ~isempty(strfind(type, "string"))
    values = strings_octave(tool("h5dump", "-y", "-w", "0", "-d", path, file));
    values = values(:);
    return
  end
  precision = "double";
  if isempty(strfind(type, "double")), precision = "int64"; end
  if any(dims == 0)
    values = zeros([dims 1]);
    return
  end
  raw = tempname();
  cleanup = onCleanup(@() delete(raw));
  tool("h5dump", "-d", path, "-b", "LE", "-o", raw, file);
  stream = fopen(raw, "r", "ieee-le");
  values = fread(stream, prod(dims), [precision "=>double"]);
  fclose(stream);
  if numel(values) ~= prod(dims)
    error("xsim_read: %s: %s holds %d numbers instead of %d", file, path, numel(values), prod(dims));
  end
  % The file's last axis runs fastest, Octave's first.
  if numel(dims) > 1, values = permute(reshape(values, fliplr(dims)), numel(dims):-1:1); end
end

% Words in quotes between DATA { and }; \000 fills them up.
function words = strings_octave(text)
  data = regexp(text, 'DATA \{(.*?)\n\s*\}', "tokens", "once");
  words = regexp(data{1}, '"((?:[^"\\]|\\.)*)"', "tokens");
  words = cellfun(@(w) strrep(w{1}, '\000', ''), words, "UniformOutput", false);
end

function value = attribute_octave(file, name)
  text = tool("h5dump", "-y", "-w", "0", "-a", ["/" name], file);
  words = strings_octave(text);
  if ~isempty(words)
    value = words{1};
  else
    data = regexp(text, 'DATA \{\s*(\S+)', "tokens", "once");
    value = str2double(data{1});
  end
end

% ---- Both ----

function answer = is_left_out(path)
  answer = ~isempty(regexp(path, '^/(provenance|checkpoint)(/|$)', "once"));
end

function text = clean(text)
  text = char(text);
  text = text(text ~= char(0));
  text = strtrim(text(:).');
end

% To the T records that /time says are there: every array over time.
function part = cut(part, T, path)
  for name = fieldnames(part)'
    value = part.(name{1});
    whole = [path name(1)];
    if isstruct(value)
      part.(name{1}) = cut(value, T, whole);
    elseif isnumeric(value) && size(value, 1) > T && is_over_time(whole)
      rest = repmat({":"}, 1, ndims(value) - 1);
      part.(name{1}) = value(1:T, rest{:});
    end
  end
end

function answer = is_over_time(path)
  last = path{end};
  if strcmp(path{1}, "contacts")
    answer = any(strcmp(last, {"first", "count"}));
  else
    answer = ~any(strcmp(last, {"arc_length", "gauss_arc_length"}));
  end
end
