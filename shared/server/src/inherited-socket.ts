/**
 * The listening socket of this name that systemd opened (`FileDescriptorName=`, sd_listen_fds(3)). Connections wait in
 * it while the process restarts. Null if there is none: the process then opens its port.
 */
export function inheritedSocket(
  name: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): { fd: number } | null {
  if (env['LISTEN_PID'] !== String(process.pid)) return null;
  const index = (env['LISTEN_FDNAMES'] ?? '').split(':').indexOf(name);
  return index === -1 ? null : { fd: 3 + index };
}
