import { integrityOf } from '@site/contract/integrity-of';
import { LARGEST_PACKED_BYTES, makePack, readPack, type Packed } from './pack.ts';

function packed(bytes: Buffer, isBrotli = false): Packed {
  return { integrity: integrityOf(bytes), isBrotli, bytes };
}

const packOf = (list: Packed[]) => (makePack(list) as { bytes: Buffer }).bytes;
const blobs = [packed(Buffer.from('a\nb')), packed(Buffer.of(0, 10, 255), true), packed(Buffer.alloc(0))];

test('what was packed comes out as it was', () => {
  expect(readPack(packOf(blobs))).toEqual(blobs);
});

test('the same blobs make the same pack, each once', () => {
  expect(makePack([...blobs, ...blobs])).toEqual(makePack(blobs));
});

test('fewer than two blobs make no pack', () => {
  expect([makePack([]), makePack([packed(Buffer.from('one'))])]).toEqual([null, null]);
});

test('large blobs are left out, and so is what comes after four megabytes', () => {
  const large = packed(Buffer.alloc(LARGEST_PACKED_BYTES + 1));
  const many = Array.from({ length: 20 }, (_, index) => packed(Buffer.alloc(LARGEST_PACKED_BYTES, index)));
  const kept = readPack(packOf([large, ...many]));
  expect(kept.map(({ integrity }) => integrity)).toEqual(many.slice(0, 16).map(({ integrity }) => integrity));
});

test('what is kept of a pack does not keep the pack', () => {
  const many = Array.from({ length: 4 }, (_, index) => packed(Buffer.alloc(LARGEST_PACKED_BYTES, index)));
  const [first] = readPack(packOf(many));
  expect(first?.bytes.buffer.byteLength).toBe(LARGEST_PACKED_BYTES);
});

test.each([
  ['is cut', (pack: Buffer) => pack.subarray(0, -1)],
  ['has no index', () => Buffer.from('nothing')],
  ['has an index of something else', () => Buffer.from('[["a","raw",1]]\nx')],
])('a pack that %s is none', (_, damage) => {
  const whole = [packed(Buffer.from('one')), packed(Buffer.from('two'))];
  expect(() => readPack(damage(packOf(whole)))).toThrow();
});
