import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/** A worker's own thread: finds the number that solves a challenge, and answers with it; null when it takes too long. */
self.addEventListener('message', ({ data: challenge }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge, deriveKey, timeout: 30_000 }).then(
    (solution) => self.postMessage(solution),
    () => self.postMessage(null),
  );
});
