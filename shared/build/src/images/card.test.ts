import { cardSvg, drawCard } from './card.ts';
import { createRasteriser } from './rasterise.ts';

/** Every letter is half as wide as the font is high. */
const measure = (text: string, fontSize: number) => text.length * fontSize * 0.5;
const draw = (text: string, path = '/a') => cardSvg({ text, path }, measure);
const cardLines = (svg: string) =>
  [...svg.matchAll(/<text x="72" [^>]*letter-spacing[^>]*>([^<]*)</g)].map((match) => match[1]);

test('breaks the text into lines of about equal length', () => {
  expect(cardLines(draw('Four steps to a working backend'))).toEqual([
    'Four steps',
    'to a working',
    'backend',
  ]);
  expect(cardLines(draw('Auth Block'))).toEqual(['Auth Block']);
});

test('no line exceeds its width, whatever the text', () => {
  for (const text of ['a'.repeat(60), 'ab '.repeat(20).trim(), `${'x'.repeat(40)} ${'y'.repeat(19)}`]) {
    const svg = draw(text);
    const fontSize = Number(/<text x="72" [^>]*font-size="(\d+)" letter-spacing/.exec(svg)?.[1]);
    for (const line of cardLines(svg)) expect(measure(line ?? '', fontSize)).toBeLessThanOrEqual(580);
  }
});

test('a long text is smaller, so that it does not touch the name above and the tagline below', () => {
  const svg = draw('The parts everyone rebuilds again, built once');
  const rows = [...svg.matchAll(/<text x="72" y="(\d+)" font-size="(\d+)" letter-spacing/g)];
  const [first, last] = [rows[0], rows.at(-1)].map((row) => ({
    y: Number(row?.[1]),
    size: Number(row?.[2]),
  }));
  expect(rows.length).toBeGreaterThan(2);
  expect(first!.y - first!.size * 0.75).toBeGreaterThan(130);
  expect(last!.y + last!.size * 0.25).toBeLessThan(530);
});

test('text is never markup', () => {
  const svg = draw('<script> & "more"');
  expect(cardLines(svg)).toEqual(['&lt;script>', '&amp; &quot;more&quot;']);
  expect(svg).not.toContain('<script');
});

test('each page has its own drawing, always the same', () => {
  expect(draw('Same', '/a')).toBe(draw('Same', '/a'));
  const bricks = (svg: string) => svg.replaceAll(/<text.*?<\/text>/g, '');
  expect(bricks(draw('Same', '/a'))).not.toBe(bricks(draw('Same', '/b')));
});

test('a text with characters missing in the font is rejected, and they are named', async () => {
  const rasteriser = await createRasteriser();
  const refusal = (text: string) => () => drawCard({ text, path: '/a' }, rasteriser);
  expect(refusal('Łódź: česká řešení')).toThrow(
    'The card "Łódź: česká řešení" of "/a" cannot be drawn, because its font lacks "Ł", "č", "ř", "š".',
  );
  expect(refusal('Привет 日本 😀')).toThrow('"П", "р", "и", "в", "е", "т", "日", "本", "😀"');
  expect(
    drawCard({ text: 'Über uns – „Größe“ für 5 €', path: '/a' }, rasteriser).toString('latin1', 1, 4),
  ).toBe('PNG');
});
