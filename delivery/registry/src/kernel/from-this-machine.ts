import { plainAddress } from '@site/server/client-address';
import type { FastifyRequest } from 'fastify';

/** Headers added by proxies, which may run on this machine although their clients do not. */
const ofProxies = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

/** Uses the socket's address, because `request.ip` may be forged. */
export function isFromThisMachine({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  const isLoopback = /^127(\.\d+){3}$|^::1$/.test(plainAddress(socket.remoteAddress ?? ''));
  return isLoopback && !ofProxies.some((name) => name in headers);
}
