import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

/** How many proxies stand in front, or their addresses and networks: see `proxiesVariable`. */
export type TrustedProxies = number | string[];

/** Whether an address is that of a proxy, `hop` steps away from the server. */
export type IsProxy = (address: string, hop: number) => boolean;

/** A number of hops is for those who know that nobody reaches the server but through the proxies. */
export function trustOf(proxies: TrustedProxies): IsProxy {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxyAddr.compile(proxies);
}

/** What is read of a request: HTTP/1.1 and HTTP/2 have it alike. */
interface Call {
  headers: IncomingMessage['headers'];
  socket: { remoteAddress?: string | undefined };
}

/** Reads who is calling: the address at the other end, or the one that the outermost trusted proxy was called from. */
export function createAddressReader(proxies: TrustedProxies): (request: Call) => string {
  const trust = trustOf(proxies);
  const read = proxyAddr as unknown as (request: Call, trust: IsProxy) => string | undefined;
  // A connection that is gone has no address any more.
  return (request) => read(request, trust) ?? 'gone';
}

/**
 * What one caller has of addresses: one IPv4 address, or one IPv6 /64 network, any address of which its owner can take.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  return isIP(plain) === 6 ? ipv6Groups(plain).slice(0, 4).join(':') : plain;
}

/** An address as it is; one of IPv4 without the `::ffff:` that a socket for IPv6 writes before it. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** The eight groups of an IPv6 address, without leading zeros. */
export function ipv6Groups(address: string): string[] {
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16));
}
