import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

export type TrustedProxies = number | string[];

/** Whether an address belongs to a trusted proxy; `hop` is its distance from the server. */
export type IsProxy = (address: string, hop: number) => boolean;

/** A number of hops is safe only if the server is reachable exclusively through the proxies. */
export function toProxyTest(proxies: TrustedProxies): IsProxy {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxyAddr.compile(proxies);
}

interface Call {
  headers: IncomingMessage['headers'];
  socket: { remoteAddress?: string | undefined };
}

export function createAddressReader(proxies: TrustedProxies): (request: Call) => string {
  const trust = toProxyTest(proxies);
  const read = proxyAddr as unknown as (request: Call, trust: IsProxy) => string | undefined;
  return (request) => {
    normalizeForwardedFor(request.headers);
    // A closed connection has no address.
    return read(request, trust) ?? 'gone';
  };
}

/**
 * Reduces `X-Forwarded-For` to plain addresses. An invalid entry, such as `unknown`, ends the chain, so that the proxy
 * that wrote it counts as the client.
 */
export function normalizeForwardedFor(headers: Call['headers']): void {
  const given = headers['x-forwarded-for'];
  if (typeof given !== 'string') return;
  const entries = given.split(',').filter((entry) => entry.trim() !== '');
  const addresses = entries.map(addressIn);
  headers['x-forwarded-for'] = addresses.slice(addresses.lastIndexOf(null) + 1).join(', ');
}

/** Without port, brackets and quotation marks, which some proxies add. Null for any other text. */
function addressIn(entry: string): string | null {
  const unquoted = entry.trim().replace(/^"(.*)"$/, '$1');
  const address = unquoted.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');
  return isIP(address) === 0 ? null : plainAddress(address);
}

/**
 * The unit for rate limits: an IPv4 address or an IPv6 /64 network, because its owner can use any address of
 * it.
 */
export function clientNetwork(address: string): string {
  const plain = plainAddress(address);
  return isIP(plain) === 6 ? ipv6Groups(plain).slice(0, 4).join(':') : plain;
}

/** IPv4-mapped addresses, in decimal or hexadecimal, become IPv4 addresses. */
export function plainAddress(address: string): string {
  const [, ipv4, high, low] =
    /^(?:::|(?:0{1,4}:){5})ffff:(?:(\d+(?:\.\d+){3})|([\da-f]{1,4}):([\da-f]{1,4}))$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) return ipv4 ?? address;
  const bytes = Buffer.from(high.padStart(4, '0') + low.padStart(4, '0'), 'hex');
  return bytes.join('.');
}

/** Without leading zeros. */
export function ipv6Groups(address: string): string[] {
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16));
}
