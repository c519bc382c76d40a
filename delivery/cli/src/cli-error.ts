interface CliErrorDefinition {
  status: number;
  title: string;
  remedy: string;
}

export const cliErrors = {
  command_line_wrong: {
    status: 2,
    title: 'The command line is wrong',
    remedy: 'Correct it; "npx @site/cli <command> --help" lists options and examples.',
  },
  setting_invalid: {
    status: 1,
    title: 'A setting is wrong',
    remedy: 'Correct the variable or file named in the message.',
  },
  id_token_unavailable: {
    status: 1,
    title: 'No id token of a pipeline',
    remedy:
      'Give the job the permission "id-token: write" (GitHub), or an id token in SITE_ID_TOKEN (GitLab and others).',
  },
  registry_unreachable: {
    status: 1,
    title: 'The registry does not answer',
    remedy:
      'Set SITE_REGISTRY to the registry\'s URL. In the site\'s repository, start it with "npm start" and the ' +
      'same DATA_DIR.',
  },
  registry_answer_invalid: {
    status: 1,
    title: 'The response is not from a registry, or from another version of it',
    remedy: 'Check SITE_REGISTRY.',
  },
  answer_lost: {
    status: 1,
    title: 'It is unknown whether the change was made',
    remedy: 'Run the same command again with the --key from the message: the change is made only once.',
  },
  interrupted: {
    status: 130,
    title: 'The command was stopped (Ctrl-C)',
    remedy: 'Run it again, with the --key from the message if there is one.',
  },
  app_not_here: {
    status: 1,
    title: 'No such app in this repository',
    remedy: 'Choose one of the apps listed in the message.',
  },
  app_not_named: {
    status: 2,
    title: 'The command needs an app, and none is named',
    remedy: "Name one of the apps listed in the message, or run the command in the app's folder.",
  },
  builder_missing: {
    status: 1,
    title: "The app's build package or TypeScript compiler is not installed",
    remedy:
      'Run "npm install", without --omit=optional; @site/build is among the devDependencies of every app.',
  },
  build_failed: {
    status: 1,
    title: 'The app does not build',
    remedy: 'Fix the build errors; nothing was published.',
  },
  pack_refused: {
    status: 1,
    title: "The bundler's output cannot be packed",
    remedy: "Change the listed settings in the bundler's configuration, build, and pack again.",
  },
  types_invalid: {
    status: 1,
    title: 'The TypeScript compiler finds errors in the app',
    remedy: 'Fix the listed lines; nothing was published.',
  },
  build_missing: {
    status: 1,
    title: 'There is no build',
    remedy: 'Run the command from the message, or publish without --no-build.',
  },
  build_stale: {
    status: 1,
    title: 'The sources have changed since the build',
    remedy: 'Publish without --no-build, or publish the old build with --allow-stale.',
  },
  build_invalid: {
    status: 1,
    title: 'The build does not match its version.json',
    remedy: 'Run the command from the message.',
  },
  target_invalid: {
    status: 1,
    title: 'Invalid version name',
    remedy: "Write <app>@<version>, or just <app> for this folder's build.",
  },
  version_not_named: {
    status: 2,
    title: 'The command needs a version, because this folder has no build of the app',
    remedy: 'Name one of the versions listed in the message, or build and publish the app here.',
  },
  config_invalid: {
    status: 1,
    title: 'The file is not a valid site configuration',
    remedy: 'Correct the field named in the message; "npx @site/cli activate --help" shows an example.',
  },
  edges_lagging: {
    status: 1,
    title: 'The release was made, but not every edge serves it',
    remedy: 'Run "npx @site/cli status" again, then check the logs of the edges named in the message.',
  },
  edges_unknown: {
    status: 1,
    title: 'The change was made, but it is unknown which edges serve it',
    remedy: 'Run "npx @site/cli status" when the registry responds again.',
  },
  caches_unpurged: {
    status: 3,
    title: 'The change was made, but a cache in front of the edges was not purged',
    remedy: 'Check the cache and its key (PURGE_PRODUCTION of the registry), or empty it yourself.',
  },
  cache_stale: {
    status: 3,
    title: 'The change was made, but a cache still shows the removed version',
    remedy:
      'Empty the cache named in the message, and list it in PURGE_PRODUCTION of the registry, or limit it to the ' +
      'lifetime that edges send (CDN-Cache-Control).',
  },
  edges_silent: {
    status: 3,
    title:
      'The change was made and every responding edge serves it; an unreachable edge may still serve the removed ' +
      'version',
    remedy:
      'Make sure that the edges named in the message have stopped or are out of the load balancer; ' +
      'run "npx @site/cli ' +
      'edge forget <id> --reason …" if they will not come back.',
  },
  rolled_back_already: {
    status: 1,
    title: 'The app or the configuration was already rolled back',
    remedy:
      'Nothing to do. To go back further, name the version to roll back (<app>@<version>) or the release whose ' +
      'configuration to restore (--to <release>).',
  },
  alert_not_delivered: {
    status: 1,
    title: 'The webhook did not accept the alert',
    remedy: 'Check the receiver, or remove the webhook with "npx @site/cli alert remove <id> --reason …".',
  },
  file_exists: {
    status: 1,
    title: 'The file exists',
    remedy: 'Choose another name or move the file away: files are never overwritten.',
  },
  still_frozen: {
    status: 1,
    title: 'The app is still frozen because the whole channel is',
    remedy:
      'Lift the freeze of all apps with "npx @site/cli unfreeze --reason …" if its reason no longer holds.',
  },
  variant_unknown: {
    status: 1,
    title: 'The page has no such variant',
    remedy: 'Choose one that "npx @site/cli experiments" shows, such as headline=b.',
  },
  nothing_live: {
    status: 1,
    title: 'Nothing is live on the channel yet',
    remedy: 'Make a first release: "npx @site/cli activate <app…> --config <file>".',
  },
  file_unusable: {
    status: 1,
    title: 'A file cannot be read or written',
    remedy: 'Correct the path, permissions or disk space as the message says.',
  },
  backup_incomplete: {
    status: 1,
    title: 'The backup is incomplete',
    remedy: "Run it again; the partial file was deleted. If it happens again, check the registry's log.",
  },
  verification_failed: {
    status: 1,
    title: 'Data of the registry is missing, damaged or changed',
    remedy:
      'Publish the versions with missing or damaged files again; restore a backup if the audit log is broken or ' +
      'does not match its anchors.',
  },
  service_unreachable: {
    status: 1,
    title: 'The gateway or the forms service does not respond',
    remedy: 'Start the site with "npm start", or set SITE_GATEWAY and SITE_FORMS.',
  },
  service_answer_invalid: {
    status: 1,
    title: 'The response is not from that service, or from another version of it',
    remedy: 'Check SITE_GATEWAY and SITE_FORMS.',
  },
  visitor_unknown: {
    status: 1,
    title: 'Nothing is stored about this visitor',
    remedy: 'Check the guest id: it is the "user_unique_id" in the visitor\'s token.',
  },
} satisfies Record<string, CliErrorDefinition>;

type CliErrorCode = keyof typeof cliErrors;

export class CliError extends Error {
  override name = 'CliError';
  readonly code: string;

  constructor(code: CliErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export class RegistryRefusal extends CliError {
  override name = 'RegistryRefusal';

  constructor(code: string, message: string) {
    super(code as CliErrorCode, message);
  }
}

export function errorExitCode(error: unknown): number {
  const code = error instanceof CliError ? error.code : '';
  return Object.hasOwn(cliErrors, code) ? cliErrors[code as CliErrorCode].status : 1;
}
