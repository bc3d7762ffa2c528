/* From section and material of a rod to its stiffness, mass and rotary inertia a length.
 *
 *   K = diag(kappa G A, kappa G A, E A | E I1, E I2, G J),  rho A,  rho (I1, I2, I1 + I2)
 *   circle     A = pi r^2,            I = pi r^4/4,            J = 2 I
 *   tube       A = pi (r^2 - r_i^2),  I = pi (r^4 - r_i^4)/4,  J = 2 I
 *   rectangle  width w along d1, height h along d2: I1 = w h^3/12, I2 = h w^3/12, and with
 *              a >= b of w, h (Saint-Venant): J = a b^3/3 (1 - (192 b)/(pi^5 a) sum over odd n of
 *              tanh(n pi a/(2 b))/n^5)
 * Shear correction kappa of Cowper (1966), m = r_i/r:
 *   circle     6 (1 + nu)/(7 + 6 nu)                      rectangle  10 (1 + nu)/(12 + 11 nu)
 *   tube       6 (1 + nu) (1 + m^2)^2/((7 + 6 nu) (1 + m^2)^2 + (20 + 12 nu) m^2)          */
#include <math.h>

#include "io/scene_rod.h"

typedef enum section_kind { ROUND, RECTANGLE, ANY_SECTION } section_kind;

typedef struct section {
  section_kind kind;
  double area, I1, I2, J;
  double hollow; /* m = inner radius / radius */
} section;

/* ---- Geometry ---- */

/* e^-x, x >= 0. By sums and products alone: the C library's exp, tanh and pow take other
 * instructions, and give other last bits, on other processors. The series is that of
 * x / 2^k < 1/8, which is squared k times. */
static double decay(double x) {
  int k = 0;
  if (x > 745) return 0; /* it underflows */
  for (; x > 0.125; k++) x *= 0.5;
  double sum = 1;
  for (int n = 12; n > 0; n--) sum = 1 - x / n * sum;
  for (; k > 0; k--) sum *= sum;
  return sum;
}

/* a >= b: sides. Terms fall as n^-5, and tanh is 1 from the second on to 4 digits or more. */
static double torsion_of_rectangle(double a, double b) {
  const double pi5 = XS_PI * XS_PI * XS_PI * XS_PI * XS_PI;
  double sum = 0;
  for (int n = 199; n > 0; n -= 2) {
    const double n5 = (double)n * n * n * n * n, e = decay(n * XS_PI * a / b);
    sum += (1 - e) / (1 + e) / n5; /* tanh(n pi a / (2 b)) / n^5 */
  }
  return a * b * b * b / 3 * (1 - 192 * b / (pi5 * a) * sum);
}

static int read_section(xs_build *build, const xs_json *value, section *s) {
  const xs_json *radius = xs_json_member(value, "radius");
  const xs_json *inner = xs_json_member(value, "inner_radius");
  const xs_json *width = xs_json_member(value, "width");
  *s = (section){.kind = ANY_SECTION};
  if (radius != NULL) {
    const double r = radius->number, ri = inner != NULL ? inner->number : 0;
    if (ri >= r) {
      xs_scene_build_error(build, inner, "the inner radius must be below the radius %.12g m", r);
      return 0;
    }
    s->kind = ROUND;
    s->hollow = ri / r;
    s->area = XS_PI * (r - ri) * (r + ri);
    s->I1 = s->I2 = 0.25 * s->area * (r * r + ri * ri);
    s->J = 2 * s->I1;
  } else if (width != NULL) {
    const double w = width->number, h = xs_scene_build_number(value, "height");
    s->kind = RECTANGLE;
    s->area = w * h;
    s->I1 = s->area * h * h / 12;
    s->I2 = s->area * w * w / 12;
    s->J = torsion_of_rectangle(fmax(w, h), fmin(w, h));
  } else {
    const xs_vec3 moments = xs_scene_build_vec3(xs_json_member(value, "second_moments"));
    s->area = xs_scene_build_number(value, "area");
    s->I1 = moments.x, s->I2 = moments.y, s->J = moments.z;
  }
  return 1;
}

static double cowper(const section *s, double nu) {
  if (s->kind == RECTANGLE) return 10 * (1 + nu) / (12 + 11 * nu);
  const double m2 = s->hollow * s->hollow, b = (1 + m2) * (1 + m2);
  return 6 * (1 + nu) * b / ((7 + 6 * nu) * b + (20 + 12 * nu) * m2);
}

/* ---- Stiffness ---- */

static int find_kappa(xs_build *build, const xs_json *rod, const section *s, double nu,
                      double *kappa) {
  const xs_json *given = xs_json_member(rod, "shear_correction");
  if (given != NULL && given->type == XS_JSON_NUMBER) {
    *kappa = given->number;
    return 1;
  }
  if (given == NULL) given = xs_json_member(rod, "section");
  if (s->kind == ANY_SECTION) {
    xs_scene_build_error(build, given,
                         "Cowper's factors are for circles, tubes and rectangles: give the "
                         "section's shear_correction as a number");
    return 0;
  }
  if (!(nu <= 0.5 * (1 + 1e-12))) {
    xs_scene_build_error(build, given,
                         "the moduli mean a Poisson ratio of %.6g, Cowper's factor is for -1 to "
                         "0.5: give shear_correction as a number",
                         nu);
    return 0;
  }
  *kappa = cowper(s, nu);
  return 1;
}

static int from_moduli(xs_build *build, const xs_json *rod, const xs_material *material,
                       const section *s, xs_rod_section *result) {
  const double E = material->youngs_modulus, G = material->shear_modulus;
  if (!(E > 0) || !(G > 0)) {
    xs_scene_build_error(build, xs_json_member(rod, "material"),
                         "the material \"%s\" has no %s, which the rod needs: give it "
                         "youngs_modulus and poisson_ratio or shear_modulus, or the rod stiffness",
                         material->name,
                         E > 0 ? "poisson_ratio or shear_modulus" : "youngs_modulus");
    return 0;
  }
  double kappa;
  if (!find_kappa(build, rod, s, material->poisson_ratio, &kappa)) return 0;
  result->K_shear = xs_vec3_make(kappa * G * s->area, kappa * G * s->area, E * s->area);
  result->K_bend = xs_vec3_make(E * s->I1, E * s->I2, G * s->J);
  return 1;
}

static int is_in_range(double a) { return a == 0 || (isfinite(a) && isfinite(1 / a)); }

/* Whether numbers and their inverses, which the solver needs, are finite. */
static int check_range(xs_build *build, const xs_json *rod, const xs_rod_section *s) {
  const double all[] = {s->K_shear.x, s->K_shear.y, s->K_shear.z, s->K_bend.x, s->K_bend.y,
                        s->K_bend.z,  s->mass,      s->moment.x,  s->moment.y, s->moment.z};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (!is_in_range(all[i])) {
      xs_scene_build_error(build, rod,
                           "the rod's stiffness or inertia a length (%.3g) is out of range: are "
                           "section and material in m, Pa and kg/m^3?",
                           all[i]);
      return 0;
    }
  return 1;
}

int xs_scene_rod_section_read(xs_build *build, const xs_json *rod, xs_rod_section *result) {
  const xs_json *stiffness = xs_json_member(rod, "stiffness");
  const xs_json *name = xs_json_member(rod, "material");
  const int index =
      xs_scene_names_find(xs_scene_names_list(build->names, "materials"), name->string);
  const xs_material *material = &build->world->materials[index];
  section s;
  if (material->name == NULL) return 0; /* reported by the reader */
  int good = read_section(build, xs_json_member(rod, "section"), &s);
  if (!(material->density > 0)) {
    xs_scene_build_error(build, name, "the material \"%s\" has no density, which the rod needs",
                         material->name);
    good = 0;
  }
  if (!good) return 0;

  /* Inertia, then stiffness from either source. */
  result->mass = material->density * s.area;
  result->moment = xs_vec3_scale(material->density, xs_vec3_make(s.I1, s.I2, s.I1 + s.I2));
  if (stiffness == NULL) {
    if (!from_moduli(build, rod, material, &s, result)) return 0;
  } else {
    result->K_shear = xs_scene_build_vec3(xs_json_member(stiffness, "shear"));
    result->K_bend = xs_scene_build_vec3(xs_json_member(stiffness, "bend"));
    if (xs_vec3_norm2(result->K_shear) + xs_vec3_norm2(result->K_bend) == 0) {
      xs_scene_build_error(build, stiffness,
                           "all stiffnesses are zero: nothing holds the rod together");
      return 0;
    }
  }
  return check_range(build, rod, result);
}
