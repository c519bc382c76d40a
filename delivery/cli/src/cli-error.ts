/** One row of the table in `docs/errors.md`: the exit code, what happened, and what to do about it. */
interface CliErrorDefinition {
  status: number;
  title: string;
  remedy: string;
}

/** What `site` itself refuses. What the registry refuses keeps the registry's code. */
export const cliErrors = {
  command_line_wrong: {
    status: 2,
    title: 'The command line is wrong',
    remedy: 'Correct it; "npx site <command> --help" shows what there is, with examples.',
  },
  setting_invalid: {
    status: 1,
    title: 'A setting is wrong',
    remedy: 'Correct the variable or file that the message names.',
  },
  id_token_unavailable: {
    status: 1,
    title: 'There is no id token of a pipeline',
    remedy:
      'Give the job the permission "id-token: write" (GitHub), or an id token in SITE_ID_TOKEN (GitLab and others).',
  },
  registry_unreachable: {
    status: 1,
    title: 'The registry does not answer',
    remedy:
      'Set SITE_REGISTRY to the address of the registry. In the repository of the site, start it with "npm start", with the same DATA_DIR.',
  },
  registry_answer_invalid: {
    status: 1,
    title: 'The answer is not from a registry, or from another version of it',
    remedy: 'Check SITE_REGISTRY.',
  },
  answer_lost: {
    status: 1,
    title: 'It is not known whether the change was made',
    remedy: 'Run the same command again with the --key that the message names: it is done only once.',
  },
  interrupted: {
    status: 130,
    title: 'The command was stopped (Ctrl-C)',
    remedy: 'Run it again, with the --key that the message names, if it names one.',
  },
  app_not_here: {
    status: 1,
    title: 'No such app in this repository',
    remedy: 'Choose one of those that the message lists.',
  },
  app_not_named: {
    status: 2,
    title: 'The command is about one app, and none is named',
    remedy: 'Name one of those that the message lists, or run the command in the folder of the app.',
  },
  builder_missing: {
    status: 1,
    title: 'The package that builds the app, or the compiler that checks its types, is not installed',
    remedy:
      'Run "npm install", without --omit=optional; @site/build is among the devDependencies of every app.',
  },
  build_failed: {
    status: 1,
    title: 'The app does not build',
    remedy: 'Correct what the build says; nothing was published.',
  },
  pack_refused: {
    status: 1,
    title: 'What the bundler wrote cannot be packed',
    remedy: 'Change in its configuration what the message lists, build, and pack again.',
  },
  types_invalid: {
    status: 1,
    title: 'The TypeScript compiler finds errors in the app',
    remedy: 'Correct the lines that the message lists; nothing was published.',
  },
  build_missing: {
    status: 1,
    title: 'There is no build',
    remedy: 'Run the command that the message names, or publish without --no-build.',
  },
  build_stale: {
    status: 1,
    title: 'The sources have changed since the build',
    remedy: 'Publish without --no-build, or as it is with --allow-stale.',
  },
  build_invalid: {
    status: 1,
    title: 'The build is not what its version.json says',
    remedy: 'Run the command that the message names.',
  },
  target_invalid: {
    status: 1,
    title: 'A version is not named correctly',
    remedy: 'Write <app>@<version>, or just <app> for the one that was published last.',
  },
  config_invalid: {
    status: 1,
    title: 'The file is not a configuration of the site',
    remedy: 'Correct the field that the message names; "npx site activate --help" shows an example.',
  },
  edges_lagging: {
    status: 1,
    title: 'The release is made, but not every edge serves it',
    remedy: 'Look again with "npx site status", then at the logs of the edges that the message names.',
  },
  edges_unknown: {
    status: 1,
    title: 'The change is made, but it is not known which edges serve it',
    remedy: 'Check with "npx site status" when the registry answers again.',
  },
  edges_silent: {
    status: 3,
    title:
      'The change is made, and every edge that answers serves it; an edge that does not answer may still be running and serving what was taken away',
    remedy:
      'Make sure that the edges named in the message have stopped, or are out of the load balancer; "npx site edge forget <id> --reason …" when they will not come back.',
  },
  rolled_back_already: {
    status: 1,
    title: 'The app, or the configuration, was already rolled back',
    remedy:
      'Nothing to do; to go back further, name the version to take away (<app>@<version>), or the release whose configuration comes back (--to <release>).',
  },
  alert_not_delivered: {
    status: 1,
    title: 'The webhook did not accept the alert',
    remedy: 'Look at the receiver, or remove the hook with "npx site alert remove <id> --reason …".',
  },
  file_exists: {
    status: 1,
    title: 'The file exists',
    remedy: 'Choose another name, or move the file away: nothing is overwritten.',
  },
  still_frozen: {
    status: 1,
    title: 'The app stays frozen, for everything is',
    remedy: 'Lift the freeze of all apps with "npx site unfreeze --reason …", if its reason no longer holds.',
  },
  nothing_live: {
    status: 1,
    title: 'The channel shows nothing yet',
    remedy: 'Make a first release: "npx site activate <app…> --config <file>".',
  },
  file_unusable: {
    status: 1,
    title: 'A file cannot be read or written',
    remedy: 'Correct what the message names: path, permissions or disk space.',
  },
  backup_incomplete: {
    status: 1,
    title: 'The backup did not arrive completely',
    remedy: 'Run it again; nothing was kept. If this happens again, look at the log of the registry.',
  },
  verification_failed: {
    status: 1,
    title: 'Something that the registry keeps is missing, damaged or changed',
    remedy:
      'Publish again the versions that need a missing or damaged file; restore a backup when the audit log is broken or does not match its anchors.',
  },
  service_unreachable: {
    status: 1,
    title: 'Gateway or forms service does not answer',
    remedy: 'Start the site with "npm start", or set SITE_GATEWAY and SITE_FORMS.',
  },
  service_answer_invalid: {
    status: 1,
    title: 'The answer is not from that service, or from another version of it',
    remedy: 'Check SITE_GATEWAY and SITE_FORMS.',
  },
  visitor_unknown: {
    status: 1,
    title: 'Nothing is stored about this visitor',
    remedy: 'Check the guest id: it is the "user_unique_id" in the visitor\'s token.',
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

/** What the command ends with: the registry's refusals are all alike. */
export function exitCodeOf(error: unknown): number {
  const code = error instanceof CliError ? error.code : '';
  return Object.hasOwn(cliErrors, code) ? cliErrors[code as CliErrorCode].status : 1;
}
