/** One row of the table in `docs/errors.md`: the exit code, what happened, and what to do about it. */
interface CliErrorDefinition {
  status: number;
  title: string;
  remedy: string;
}

/** What `site` itself refuses. What the registry refuses keeps the registry's code. */
export const cliErrors = {
  setting_invalid: {
    status: 1,
    title: 'A setting is wrong',
    remedy: 'Correct the variable or file that the message names.',
  },
  registry_unreachable: {
    status: 1,
    title: 'The registry does not answer',
    remedy: 'Start the site with "npm start", or set SITE_REGISTRY.',
  },
  registry_answer_invalid: {
    status: 1,
    title: 'What answers is no registry, or another version of it',
    remedy: 'Check SITE_REGISTRY.',
  },
  app_not_here: {
    status: 1,
    title: 'No such app in this repository',
    remedy: 'Choose one of those that the message lists.',
  },
  build_failed: {
    status: 1,
    title: 'The app does not build',
    remedy: 'Correct what the build says; nothing was published.',
  },
  build_missing: {
    status: 1,
    title: 'There is no build',
    remedy: 'Run "npm run build -w <app>", or publish without --no-build.',
  },
  build_invalid: {
    status: 1,
    title: 'The build is not what its version.json says',
    remedy: 'Run "npm run build -w <app>" again.',
  },
  target_invalid: {
    status: 1,
    title: 'A version is not named rightly',
    remedy: 'Write <app>@<version>, or just <app> for the one that was published last.',
  },
  edges_lagging: {
    status: 1,
    title: 'The release is made, but not every edge serves it',
    remedy: 'Look again with "npx site status", then at the logs of the edges that the message names.',
  },
} satisfies Record<string, CliErrorDefinition>;

type CliErrorCode = keyof typeof cliErrors;

/** What a person at the command line can do something about. The message says what was wrong, and what to do. */
export class CliError extends Error {
  override name = 'CliError';
  readonly code: string;

  constructor(code: CliErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The registry refused; the message and the code are the registry's. */
export class RegistryRefusal extends CliError {
  override name = 'RegistryRefusal';

  constructor(code: string, message: string) {
    super(code as CliErrorCode, message);
  }
}
