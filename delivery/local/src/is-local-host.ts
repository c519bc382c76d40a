/** Whether a `Host` is this machine: pages of other sites can have a name that leads here (DNS rebinding). */
export const isLocalHost = (host: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
