import { createFrameReader, encodeFrame } from './frames.ts';

const limits = { bytes: 1000, parts: 4 };

function read(pieces: readonly Buffer[]): { frames: string[][]; problems: string[] } {
  const frames: string[][] = [];
  const problems: string[] = [];
  const take = createFrameReader(
    limits,
    (parts) => frames.push(parts.map(String)),
    (problem) => problems.push(problem),
  );
  for (const piece of pieces) take(piece);
  return { frames, problems };
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const sent = [['id', 'rendered', 'ä', ''], [], ['x'], ['', '']];
const stream = Buffer.concat(sent.map(encodeFrame));

test.each([1, 2, 3, 5, 7, stream.length])('reads frames that arrive in chunks of %i bytes', (size) => {
  const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
    stream.subarray(index * size, (index + 1) * size),
  );
  expect(read(pieces)).toEqual({ frames: sent, problems: [] });
});

test('waits for the rest of an incomplete frame', () => {
  expect(read([stream.subarray(0, 9)])).toEqual({ frames: [], problems: [] });
});

test.each([
  ['a length beyond the limit', uint32(1001)],
  ['the maximum length', uint32(0xffffffff)],
  ['a part that is longer than its frame', Buffer.concat([uint32(8), uint32(5), uint32(0)])],
  ['a truncated part length', Buffer.concat([uint32(3), Buffer.alloc(3)])],
  ['too many parts', encodeFrame(['', '', '', '', ''])],
])('rejects %s once, and reads nothing after it', (_what, bytes) => {
  const { frames, problems } = read([bytes, stream, bytes]);
  expect(frames).toEqual([]);
  expect(problems).toHaveLength(1);
});

test('allocates no more memory for a frame than has arrived', () => {
  const take = createFrameReader(
    { bytes: 0xffffffff, parts: 1 },
    () => undefined,
    () => undefined,
  );
  const before = process.memoryUsage().arrayBuffers;
  take(uint32(0xfffffff0));
  for (let index = 0; index < 1000; index += 1) take(Buffer.alloc(1));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50e6);
});
