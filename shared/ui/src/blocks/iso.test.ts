import { boxFaces, onFace, path, project, UNIT } from './iso.ts';

test('x runs to the lower right, y to the lower left, z up', () => {
  const [x, y, z] = [project([1, 0, 0]), project([0, 1, 0]), project([0, 0, 1])];
  expect(x).toEqual([17.3, UNIT / 2]);
  expect(y).toEqual([-17.3, UNIT / 2]);
  expect(z).toEqual([0, -UNIT]);
});

test('the faces of a box meet in its front corner', () => {
  const faces = boxFaces([0, 0, 0], [2, 1, 1]);
  const corner = project([2, 1, 1]).join(' ');
  for (const face of Object.values(faces)) expect(face).toContain(corner);
});

test('an open path does not close', () => {
  const line = [
    [0, 0, 0],
    [1, 0, 0],
  ] as const;
  expect(path(line, true)).toBe('M0 0L17.3 10');
  expect(path(line)).toBe('M0 0L17.3 10Z');
});

test('content on a face starts in its corner', () => {
  expect(onFace('left', [0, 1, 1])).toMatch(/ -17\.3 -10\)$/);
});
