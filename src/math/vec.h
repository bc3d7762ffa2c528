/* Three-vectors, 3x3 matrices and quaternions, passed by value.
 *
 * Names spell their operands, so that a solve reads like its derivation:
 * xs_mat3_mul_vec(R, a) = R a, xs_mat3_tmul_vec(R, a) = R^T a. Matrices are stored by
 * rows, m[row][column]. Everything is inline and uses only + - * / and sqrt, in a fixed
 * order, so that every x86-64 gives the same bits. Rotations are in so3.h. */
#ifndef XS_MATH_VEC_H
#define XS_MATH_VEC_H

#include <math.h>

typedef struct xs_vec3 {
  double x, y, z;
} xs_vec3;

typedef struct xs_mat3 {
  double m[3][3];
} xs_mat3;

/* Quaternion w + x i + y j + z k. As a rotation: unit length, body to world, active. */
typedef struct xs_quat {
  double w, x, y, z;
} xs_quat;

static inline xs_vec3 xs_vec3_make(double x, double y, double z) { return (xs_vec3){x, y, z}; }
static inline xs_vec3 xs_vec3_add(xs_vec3 a, xs_vec3 b) {
  return (xs_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline xs_vec3 xs_vec3_sub(xs_vec3 a, xs_vec3 b) {
  return (xs_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline xs_vec3 xs_vec3_scale(double s, xs_vec3 a) {
  return (xs_vec3){s * a.x, s * a.y, s * a.z};
}
static inline xs_vec3 xs_vec3_neg(xs_vec3 a) { return (xs_vec3){-a.x, -a.y, -a.z}; }
/* a + s b */
static inline xs_vec3 xs_vec3_add_scaled(xs_vec3 a, double s, xs_vec3 b) {
  return (xs_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
/* Componentwise product: diag(a) b. */
static inline xs_vec3 xs_vec3_mul(xs_vec3 a, xs_vec3 b) {
  return (xs_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline double xs_vec3_dot(xs_vec3 a, xs_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline xs_vec3 xs_vec3_cross(xs_vec3 a, xs_vec3 b) {
  return (xs_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double xs_vec3_norm2(xs_vec3 a) { return xs_vec3_dot(a, a); }
static inline double xs_vec3_norm(xs_vec3 a) { return sqrt(xs_vec3_norm2(a)); }

static inline xs_mat3 xs_mat3_identity(void) {
  return (xs_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}
static inline xs_mat3 xs_mat3_diag(xs_vec3 d) {
  return (xs_mat3){{{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}};
}
/* hat(a) b = a x b */
static inline xs_mat3 xs_mat3_hat(xs_vec3 a) {
  return (xs_mat3){{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
}
/* a b^T */
static inline xs_mat3 xs_mat3_outer(xs_vec3 a, xs_vec3 b) {
  return (xs_mat3){{{a.x * b.x, a.x * b.y, a.x * b.z},
                    {a.y * b.x, a.y * b.y, a.y * b.z},
                    {a.z * b.x, a.z * b.y, a.z * b.z}}};
}
static inline xs_vec3 xs_mat3_row(const xs_mat3 *A, int i) {
  return (xs_vec3){A->m[i][0], A->m[i][1], A->m[i][2]};
}
static inline xs_vec3 xs_mat3_column(const xs_mat3 *A, int j) {
  return (xs_vec3){A->m[0][j], A->m[1][j], A->m[2][j]};
}
static inline xs_mat3 xs_mat3_transpose(xs_mat3 A) {
  return (xs_mat3){{{A.m[0][0], A.m[1][0], A.m[2][0]},
                    {A.m[0][1], A.m[1][1], A.m[2][1]},
                    {A.m[0][2], A.m[1][2], A.m[2][2]}}};
}
static inline xs_mat3 xs_mat3_add(xs_mat3 A, xs_mat3 B) {
  xs_mat3 C;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) C.m[i][j] = A.m[i][j] + B.m[i][j];
  return C;
}
static inline xs_mat3 xs_mat3_scale(double s, xs_mat3 A) {
  xs_mat3 C;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) C.m[i][j] = s * A.m[i][j];
  return C;
}
/* A B */
static inline xs_mat3 xs_mat3_mul(xs_mat3 A, xs_mat3 B) {
  xs_mat3 C;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C.m[i][j] = A.m[i][0] * B.m[0][j] + A.m[i][1] * B.m[1][j] + A.m[i][2] * B.m[2][j];
  return C;
}
/* A^T B */
static inline xs_mat3 xs_mat3_tmul(xs_mat3 A, xs_mat3 B) {
  xs_mat3 C;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C.m[i][j] = A.m[0][i] * B.m[0][j] + A.m[1][i] * B.m[1][j] + A.m[2][i] * B.m[2][j];
  return C;
}
/* A B^T */
static inline xs_mat3 xs_mat3_mult(xs_mat3 A, xs_mat3 B) {
  xs_mat3 C;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C.m[i][j] = A.m[i][0] * B.m[j][0] + A.m[i][1] * B.m[j][1] + A.m[i][2] * B.m[j][2];
  return C;
}
/* A a */
static inline xs_vec3 xs_mat3_mul_vec(const xs_mat3 *A, xs_vec3 a) {
  return (xs_vec3){A->m[0][0] * a.x + A->m[0][1] * a.y + A->m[0][2] * a.z,
                   A->m[1][0] * a.x + A->m[1][1] * a.y + A->m[1][2] * a.z,
                   A->m[2][0] * a.x + A->m[2][1] * a.y + A->m[2][2] * a.z};
}
/* A^T a */
static inline xs_vec3 xs_mat3_tmul_vec(const xs_mat3 *A, xs_vec3 a) {
  return (xs_vec3){A->m[0][0] * a.x + A->m[1][0] * a.y + A->m[2][0] * a.z,
                   A->m[0][1] * a.x + A->m[1][1] * a.y + A->m[2][1] * a.z,
                   A->m[0][2] * a.x + A->m[1][2] * a.y + A->m[2][2] * a.z};
}

static inline xs_quat xs_quat_identity(void) { return (xs_quat){1, 0, 0, 0}; }
static inline xs_quat xs_quat_conj(xs_quat q) { return (xs_quat){q.w, -q.x, -q.y, -q.z}; }
static inline xs_vec3 xs_quat_vec(xs_quat q) { return (xs_vec3){q.x, q.y, q.z}; }
/* a b: rotate by b, then by a. */
static inline xs_quat xs_quat_mul(xs_quat a, xs_quat b) {
  return (xs_quat){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline double xs_quat_norm2(xs_quat q) {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

#endif
