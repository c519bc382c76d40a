import { Writable } from 'node:stream';
import { SingleBar, Presets } from 'cli-progress';
import { byteText } from '@site/contract/text';
import { type Io } from './output.ts';
import type { UploadProgress } from './publish.ts';

/** Shows upload progress on terminals; draws nothing into files and logs. */
export interface UploadBar {
  show(progress: UploadProgress): void;
  /** Restores the terminal, also after a failure. */
  stop(): void;
}

export function createUploadBar({ isTerminal, draw }: Io): UploadBar {
  if (!isTerminal) return { show: () => undefined, stop: () => undefined };
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      draw(chunk.toString());
      done();
    },
  });
  const bar = new SingleBar(
    {
      stream: Object.assign(stream, { isTTY: true }),
      format: 'uploading {bar} {value}/{total} files, {sent} of {size}',
      hideCursor: true,
      barsize: 30,
      // main.ts handles Ctrl-C and ends the upload.
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  let isRunning = false;
  return {
    show({ uploaded, files, uploadedBytes, bytes: size }) {
      const texts = { sent: byteText(uploadedBytes), size: byteText(size) };
      if (!isRunning) bar.start(files, uploaded, texts);
      else bar.update(uploaded, texts);
      isRunning = true;
    },
    stop() {
      if (isRunning) bar.stop();
      isRunning = false;
    },
  };
}
