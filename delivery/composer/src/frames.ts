/**
 * The pipe protocol of registry, composer and sandboxes. A frame is its length in 4 bytes, then its parts, each with
 * its length in 4 bytes. Nothing is evaluated, nested or looked up by property name.
 */
export interface FrameLimits {
  bytes: number;
  parts: number;
}

export function encodeFrame(parts: readonly (string | Uint8Array)[]): Buffer {
  const bodies = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  const size = bodies.reduce((sum, { length }) => sum + 4 + length, 0);
  return Buffer.concat([encodeLength(size), ...bodies.flatMap((body) => [encodeLength(body.length), body])]);
}

function encodeLength(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/**
 * The sender may be hostile: a frame that announces more than the limit is rejected before it is read, and memory
 * grows only with the bytes received. @param onBroken called once, with the problem; nothing is read after it.
 */
export function createFrameReader(
  limits: FrameLimits,
  onFrame: (parts: Buffer[]) => void,
  onBroken: (problem: string) => void,
): (chunk: Buffer) => void {
  let isBroken = false;
  let head = Buffer.alloc(4);
  let headLength = 0;
  let body = Buffer.alloc(0);
  let bodyLength = 0;

  const refuse = (problem: string) => {
    isBroken = true;
    body = head = Buffer.alloc(0);
    onBroken(problem);
  };

  return (chunk) => {
    let at = 0;
    while (!isBroken && (at < chunk.length || (headLength === 4 && bodyLength === head.readUInt32BE()))) {
      if (headLength < 4) {
        const taken = chunk.copy(head, headLength, at);
        at += taken;
        headLength += taken;
        if (headLength === 4 && head.readUInt32BE() > limits.bytes) {
          return refuse(`a frame of ${head.readUInt32BE()} bytes, of which ${limits.bytes} are allowed`);
        }
        continue;
      }
      const size = head.readUInt32BE();
      const end = Math.min(chunk.length, at + size - bodyLength);
      body = grown(body, bodyLength, bodyLength + end - at, size);
      bodyLength += chunk.copy(body, bodyLength, at, end);
      at = end;
      if (bodyLength < size) continue;
      const parts = splitParts(body.subarray(0, size), limits.parts);
      if (!parts) return refuse('a frame whose parts do not fill it');
      body = Buffer.alloc(0);
      headLength = bodyLength = 0;
      onFrame(parts);
    }
  };
}

/** Doubles the buffer, so that many small chunks cost no more than a large one. */
function grown(buffer: Buffer, used: number, needed: number, size: number): Buffer<ArrayBuffer> {
  if (needed <= buffer.length) return buffer as Buffer<ArrayBuffer>;
  const larger = Buffer.allocUnsafeSlow(Math.min(size, Math.max(needed, buffer.length * 2)));
  buffer.copy(larger, 0, 0, used);
  return larger;
}

function splitParts(body: Buffer, most: number): Buffer[] | null {
  const parts: Buffer[] = [];
  let at = 0;
  while (at < body.length) {
    if (parts.length === most || at + 4 > body.length) return null;
    const end = at + 4 + body.readUInt32BE(at);
    if (end > body.length) return null;
    parts.push(body.subarray(at + 4, end));
    at = end;
  }
  return parts;
}
