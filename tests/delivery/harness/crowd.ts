import { Agent, get } from 'node:http';

export interface Visit {
  status: number;
  /** The edition of the page's remote. */
  edition: string | undefined;
  /** The bucket that the edge has just assigned, if any. */
  bucket: number | undefined;
  cookies: string[];
}

export interface Crowd {
  visit(url: string, bucket: number | null): Promise<Visit>;
  /** The responses of `count` visitors, by number. */
  visits<T>(count: number, visit: (visitor: number) => Promise<T>): Promise<T[]>;
  close(): void;
}

const AT_ONCE = 24;

export function createCrowd(): Crowd {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

  function visit(url: string, bucket: number | null): Promise<Visit> {
    const headers = bucket === null ? {} : { cookie: `bucket=${bucket}` };
    return new Promise((resolve, reject) => {
      get(url, { agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => {
          const cookies = response.headers['set-cookie'] ?? [];
          const given = /^bucket=(\d+);/.exec(cookies[0] ?? '')?.[1];
          resolve({
            status: response.statusCode ?? 0,
            edition: /data-edition="([^"]*)"/.exec(text)?.[1],
            bucket: given === undefined ? undefined : Number(given),
            cookies,
          });
        });
      }).on('error', reject);
    });
  }

  return {
    visit,
    async visits(count, visitOne) {
      const answers = new Array<Awaited<ReturnType<typeof visitOne>>>(count);
      let next = 0;
      const walk = async () => {
        while (next < count) {
          const visitor = next++;
          answers[visitor] = await visitOne(visitor);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, walk));
      return answers;
    },
    close: () => agent.destroy(),
  };
}
