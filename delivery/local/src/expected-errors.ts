import { AppConfigError } from '@site/build/app';
import { CliError } from '@site/cli/cli-error';

/** Errors of a start that are not defects, besides those that every server process has: a wrong file of the person who starts it. */
export const expectedErrors = [AppConfigError, CliError];
