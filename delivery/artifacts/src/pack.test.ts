import { computeIntegrity } from '@site/contract/integrity';
import { LARGEST_PACKED_BYTES, makePack, readPack, type Packed } from './pack.ts';

function packed(bytes: Buffer, isBrotli = false): Packed {
  return { integrity: computeIntegrity(bytes), isBrotli, bytes };
}

const samplePack = (list: Packed[]) => (makePack(list) as { bytes: Buffer }).bytes;
const blobs = [packed(Buffer.from('a\nb')), packed(Buffer.of(0, 10, 255), true), packed(Buffer.alloc(0))];

test('unpacking returns the packed blobs', () => {
  expect(readPack(samplePack(blobs))).toEqual(blobs);
});

test('the same blobs result in the same pack, without duplicates', () => {
  expect(makePack([...blobs, ...blobs])).toEqual(makePack(blobs));
});

test('fewer than two blobs are not packed', () => {
  expect([makePack([]), makePack([packed(Buffer.from('one'))])]).toEqual([null, null]);
});

test('large blobs are excluded, and so are blobs beyond four megabytes', () => {
  const large = packed(Buffer.alloc(LARGEST_PACKED_BYTES + 1));
  const many = Array.from({ length: 20 }, (_, index) => packed(Buffer.alloc(LARGEST_PACKED_BYTES, index)));
  const kept = readPack(samplePack([large, ...many]));
  expect(kept.map(({ integrity }) => integrity)).toEqual(many.slice(0, 16).map(({ integrity }) => integrity));
});

test('an unpacked blob does not keep the pack in memory', () => {
  const many = Array.from({ length: 4 }, (_, index) => packed(Buffer.alloc(LARGEST_PACKED_BYTES, index)));
  const [first] = readPack(samplePack(many));
  expect(first?.bytes.buffer.byteLength).toBe(LARGEST_PACKED_BYTES);
});

test.each([
  ['is truncated', (pack: Buffer) => pack.subarray(0, -1)],
  ['has no index', () => Buffer.from('nothing')],
  ['has an invalid index', () => Buffer.from('[["a","raw",1]]\nx')],
])('a pack that %s is rejected', (_, damage) => {
  const whole = [packed(Buffer.from('one')), packed(Buffer.from('two'))];
  expect(() => readPack(damage(samplePack(whole)))).toThrow();
});
