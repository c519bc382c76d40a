// Forges a response to the parent process, with every file descriptor and every class that writes.
const frame = (...parts) => {
  const bodies = parts.map((part) => Buffer.from(part));
  const sized = bodies.flatMap((body) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(body.length);
    return [size, body];
  });
  const size = Buffer.alloc(4);
  size.writeUInt32BE(Buffer.concat(sized).length);
  return Buffer.concat([size, ...sized]);
};
exports['./forge-page'] = async () => {
  const forged = [
    frame('1', 'rendered', '', '<p>forged</p>'),
    Buffer.from('ffffffff', 'hex'),
    Buffer.from('00000010', 'hex'),
    Buffer.from('{"__proto__":{"polluted":true}}\n'),
  ];
  const ways = [
    () => process.binding('fs'),
    () => process._linkedBinding('fs'),
    () => process.getBuiltinModule('fs'),
    () => require('fs'),
    () => process.send({ type: 'rendered' }),
    () => process.channel,
    () => new process.stdout.constructor(3),
    () => console._stdout.constructor,
    () => console._stderr._handle,
    () => process.emit('message', { type: 'rendered' }),
    () => process.emit('uncaughtException', new Error('made up')),
  ];
  for (const way of ways) {
    for (const bytes of forged) {
      try {
        const found = way();
        for (const fd of [0, 1, 2, 3, 4, 5]) {
          found.writeBuffer?.(fd, bytes, 0, bytes.length, null);
          found.writeSync?.(fd, bytes);
          found.write?.(bytes);
        }
      } catch {
        // Not available.
      }
    }
  }
  throw new Error('what was forged did not count');
};
