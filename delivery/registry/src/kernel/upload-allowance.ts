import { baseErrors } from '@site/server/base-errors';
import { HOUR_MS } from '@site/server/durations';

/**
 * Upload allowance per team and hour. Includes pages rendered for it, because a version can render different pages
 * each time.
 */
export interface UploadAllowance {
  spend(queue: string, bytes: number): void;
}

export function createUploadAllowance(max: number, now: () => Date): UploadAllowance {
  let hour = 0;
  let used = new Map<string, number>();
  return {
    spend(queue, bytes) {
      const time = now().getTime();
      const current = Math.floor(time / HOUR_MS);
      if (current !== hour) used = new Map();
      hour = current;
      const sum = (used.get(queue) ?? 0) + bytes;
      if (sum > max) {
        const seconds = Math.ceil(((hour + 1) * HOUR_MS - time) / 1000);
        throw baseErrors.rate_limited(
          `This team has brought ${used.get(queue) ?? 0} bytes within this hour, uploads and ` +
            `rendered pages together; ${max} are allowed.`,
          { headers: { 'retry-after': String(seconds) } },
        );
      }
      used.set(queue, sum);
    },
  };
}
