// Starts as many processes, threads and programs as possible.
exports['./processes-page'] = async () => {
  const ways = [
    () => process.getBuiltinModule('child_process').fork('x'),
    () => process.binding('spawn_sync').spawn({ file: '/bin/sh', args: ['sh', '-c', ':(){ :|:& };:'] }),
    () => process.binding('process_wrap'),
    () => process.execve('/bin/sh', ['sh'], {}),
    () => process.dlopen({ exports: {} }, '/lib/x.node'),
    () => new Worker('x'),
    () => process.kill(process.ppid, 'SIGKILL'),
    () => process._kill(1, 9),
    () => process._debugProcess(process.ppid),
    () => new WebAssembly.Memory({ initial: 65536, maximum: 65536, shared: true }),
    () => localStorage.setItem('a', 'b'),
  ];
  const open = [];
  for (const way of ways) {
    try {
      way();
      open.push(String(way));
    } catch {
      // Not permitted.
    }
  }
  if (open.length > 0) return `<p>open: ${open.join(' ')}</p>`;
  throw new Error('all are closed');
};
