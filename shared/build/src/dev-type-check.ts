import { fork } from 'node:child_process';
import { ownModule } from './own-module.ts';

export interface TypeCheck {
  /** Pauses checks while a page is being built, so that they do not slow it down. Initially paused. */
  hold(building: boolean): void;
  close(): void;
}

export function checkTypes(folders: readonly string[], onProblems: (problems: string[]) => void): TypeCheck {
  const checker = fork(ownModule('dev-types'), folders, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // SIGKILL, because a check blocks the process.
  const end = () => checker.kill('SIGKILL');
  process.once('exit', end);
  checker.on('message', (problems) => onProblems(problems as string[]));
  checker.on('error', (error) => onProblems([`Types are not checked: ${error.message}`]));
  return {
    hold(building) {
      if (checker.connected) checker.send(building);
    },
    close() {
      process.off('exit', end);
      end();
    },
  };
}
