import { listRootFiles } from './finish-build.ts';

test('each file at the root of the site has a unique name', () => {
  const files = ['inline/theme.0123456789ab.js', 'root/card.0123456789ab.png', 'root/card.ba9876543210.svg'];
  expect(listRootFiles(files)).toEqual({ 'card.png': files[1], 'card.svg': files[2] });
  expect(() => listRootFiles([...files, 'root/card.ba9876543210.png'])).toThrow(
    'Two files have the name "/card.png": "root/card.0123456789ab.png" and "root/card.ba9876543210.png".',
  );
});
