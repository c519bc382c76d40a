import { fork } from 'node:child_process';
import { ownModule } from './own-module.ts';

export interface TypeCheck {
  /** Says whether a page is being built: nothing is checked meanwhile, for that page is waited for. At first it is. */
  hold(building: boolean): void;
  close(): void;
}

/** Checks the types of folders for as long as it runs. @param onProblems gets all problems after each check. */
export function checkTypes(folders: readonly string[], onProblems: (problems: string[]) => void): TypeCheck {
  const checker = fork(ownModule('dev-types'), folders, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // It may be in the middle of a check, and hear of nothing.
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
