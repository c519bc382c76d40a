import { plainAddress } from '@site/server/client-address';
import type { FastifyRequest } from 'fastify';

/** What a proxy writes into the requests of others: it may run on this machine, they do not. */
const ofProxies = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

/**
 * Whether a request comes from a program on this machine, and not through it. The socket says so, whatever proxies are trusted:
 * `request.ip` may be what somebody wrote.
 */
export function isFromThisMachine({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  const isLoopback = /^127(\.\d+){3}$|^::1$/.test(plainAddress(socket.remoteAddress ?? ''));
  return isLoopback && !ofProxies.some((name) => name in headers);
}
