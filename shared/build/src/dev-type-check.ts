import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { ownModule } from './own-module.ts';

export interface TypeCheck {
  close(): void;
}

/** Checks the types of folders for as long as it runs. @param onProblems gets all problems after each check. */
export function checkTypes(folders: readonly string[], onProblems: (problems: string[]) => void): TypeCheck {
  const checker = fork(ownModule('dev-types'), folders, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // A page that is waited for goes first.
  if (checker.pid !== undefined) setPriority(checker.pid, constants.priority.PRIORITY_LOW);
  // It may be in the middle of a check, and hear of nothing.
  const end = () => checker.kill('SIGKILL');
  process.once('exit', end);
  checker.on('message', (problems) => onProblems(problems as string[]));
  checker.on('error', (error) => onProblems([`Types are not checked: ${error.message}`]));
  return {
    close() {
      process.off('exit', end);
      end();
    },
  };
}
