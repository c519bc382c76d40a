import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

self.addEventListener('message', ({ data: challenge }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge, deriveKey, timeout: 30_000 }).then(
    (solution) => self.postMessage(solution),
    () => self.postMessage(null),
  );
});
