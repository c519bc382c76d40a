import { AppConfigError } from '@site/build/app';
import { CliError } from '@site/cli/cli-error';

/**
 * Start errors that are not bugs, in addition to those of every server process: an invalid file of the user.
 */
export const expectedErrors = [AppConfigError, CliError];
