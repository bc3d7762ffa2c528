// Looks at a page of python3 -m xsim html in headless Chromium and prints what it found as JSON:
//
//   node viewer.mjs PAGE.html FOLDER      screenshots go into the folder
//
// messages      what the console, exceptions and requests over a network said
// colours       colours that the canvas shows (a blank one has 1)
// start, end    places of all bodies and rods' tips at the first and the last record
// changed       part of the canvas's pixels that differ between the two
// script        median ms of script a frame while it plays, drawing included
// cursor        places (px) of a curve's cursor at both ends of the time
import {createRequire} from "node:module";
import {join} from "node:path";

const [, , page_path, folder] = process.argv;
const require = createRequire(new URL("../../scripts/viewer/", import.meta.url));
const {chromium} = require("playwright-core");

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", timeout: 300000,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const context = await browser.newContext({viewport: {width: 900, height: 560}, offline: true});
const page = await context.newPage();
page.setDefaultTimeout(300000);
const messages = [];
page.on("console", message => messages.push(`${message.type()}: ${message.text()}`));
page.on("pageerror", error => messages.push(`exception: ${error}`));
page.on("request", request => {
  if (!/^(file|data|blob):/.test(request.url())) messages.push(`request: ${request.url()}`);
});
await page.goto(`file://${page_path}`);
await page.waitForFunction(() => window.xsim?.scripts.length > 0);

// Pixels of the scene as drawn, read in the frame that draws them.
const pixels = () => page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => {
  const {renderer, scene, camera, canvas} = window.xsim;
  renderer.render(scene, camera.camera);
  const small = document.createElement("canvas");
  small.width = 160, small.height = 100;
  const context = small.getContext("2d");
  context.drawImage(canvas, 0, 0, small.width, small.height);
  const {data} = context.getImageData(0, 0, small.width, small.height), found = [];
  for (let i = 0; i < data.length; i += 4)
    found.push((data[i] << 24 | data[i + 1] << 16 | data[i + 2] << 8 | data[i + 3]) >>> 0);
  resolve(found);
})));
const places = () => page.evaluate(() => [...window.xsim.bodies.p ?? [],
  ...window.xsim.rods.flatMap(rod => [...rod.p.slice(-3)])]);
const cursor = () => page.evaluate(() =>
  document.querySelector(".curve .cursor")?.getBoundingClientRect().left ?? 0);
const settle = () => page.evaluate(() => new Promise(resolve =>
  requestAnimationFrame(() => requestAnimationFrame(resolve))));
// As a user scrubs: by the slider.
const scrub = async part => {
  await page.evaluate(x => {
    const slider = document.getElementById("scrub");
    slider.value = Number(slider.min) + x * (slider.max - slider.min);
    slider.dispatchEvent(new Event("input"));
  }, part);
  await settle();
};

const note = words => process.env.VIEWER_VERBOSE && console.error(Date.now() / 1000 % 1000, words);
note("loaded");
await scrub(0);
const first = {pixels: await pixels(), places: await places(), cursor: await cursor()};
await page.screenshot({path: join(folder, "light.png")});
await scrub(1);
const last = {pixels: await pixels(), places: await places(), cursor: await cursor()};
await page.click("#theme");
await settle();
await page.screenshot({path: join(folder, "dark.png")});
note("screenshots");
const theme = await page.evaluate(() => document.documentElement.dataset.theme);
const dark = await pixels();

for (const button of await page.locator("#cameras button").all()) await button.click();
for (const name of await page.locator("#measure option").evaluateAll(all => all.map(o => o.value)))
  await page.selectOption("#measure", name);
await page.keyboard.press("Home");
await page.keyboard.press("ArrowRight");
await settle();
note("buttons");
const record = await page.textContent("#record");

// Frames of the whole run, as playing makes them. What is drawn is small and finished before the next one
// begins: without a graphics card pixels cost the processor more than scripts do.
const script = await page.evaluate(() => {
  const viewer = window.xsim, {span} = viewer.player, gl = viewer.renderer.getContext(), taken = [];
  viewer.renderer.setSize(240, 150, false);
  viewer.sun.shadow.mapSize.set(256, 256);
  viewer.sun.shadow.map?.dispose();
  viewer.sun.shadow.map = null;
  for (let i = 0; i < 41; i++) {
    viewer.player.t = span[0] + (i + 0.37) / 41 * (span[1] - span[0]);
    viewer.player.changed = true;
    const start = performance.now();
    viewer.player.update(start);
    viewer.show();
    viewer.bodies.clearView(viewer.camera.camera);
    viewer.renderer.render(viewer.scene, viewer.camera.camera);
    taken.push(performance.now() - start);
    gl.finish();
  }
  viewer.dirty = true;
  return taken.sort((a, b) => a - b)[20];
});
note("script");
await page.focus("#view"); // on a button, space would press that
await page.keyboard.press(" ");
const from = await page.evaluate(() => window.xsim.player.t);
await page.waitForFunction(t => window.xsim.player.t !== t, from);

console.log(JSON.stringify({
  messages, colours: new Set(first.pixels).size, start: first.places, end: last.places,
  changed: first.pixels.filter((p, i) => p !== last.pixels[i]).length / first.pixels.length,
  theme, darkened: last.pixels.filter((p, i) => p !== dark[i]).length / dark.length,
  record, script, cursor: [first.cursor, last.cursor],
}));
await browser.close();
