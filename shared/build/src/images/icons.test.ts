import { drawIcons } from './icons.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';

test('the .ico has one image per size, at the offset in its entry', () => {
  const asked: string[] = [];
  const png = (drawing: string, width?: number) => {
    asked.push(drawing);
    return Buffer.from(`png of ${width}`);
  };
  const icon = drawIcons(svg, { png })['favicon.ico'] as Buffer;
  expect([icon.readUInt16LE(0), icon.readUInt16LE(2), icon.readUInt16LE(4)]).toEqual([0, 1, 3]);
  const images = [0, 1, 2].map((index) => {
    const entry = 6 + index * 16;
    const from = icon.readUInt32LE(entry + 12);
    return [icon.readUInt8(entry), icon.toString('utf8', from, from + icon.readUInt32LE(entry + 8))];
  });
  expect(images).toEqual([
    [16, 'png of 16'],
    [32, 'png of 32'],
    [48, 'png of 48'],
  ]);
  expect(icon).toHaveLength(6 + 3 * 16 + 3 * 'png of 16'.length);
  // Icons that systems crop have a background, the others are transparent.
  expect(asked.filter((drawing) => drawing.includes('<rect'))).toHaveLength(2);
});
