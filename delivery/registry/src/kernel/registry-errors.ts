import { answerStatus } from '@site/contract/http';
import { defineErrors } from '@site/server/api-error';

export const registryErrors = defineErrors({
  token_missing: {
    status: 401,
    title: 'No token',
    remedy: 'Send "Authorization: Bearer <token>"; for the command line set SITE_TOKEN.',
  },
  token_invalid: {
    status: 401,
    title: 'The token is not valid',
    remedy: 'Ask ops for a new one.',
  },
  scope_missing: {
    status: 403,
    title: 'The token does not allow this',
    remedy: 'Use a token with that scope, or ask ops.',
  },
  session_over: {
    status: 401,
    title: 'The session has ended',
    remedy: 'Sign in again.',
  },
  link_over: {
    status: 401,
    title: 'The link no longer works',
    remedy:
      'A link into the console works once, within a minute: make another one with "npx @site/cli console".',
  },
  request_foreign: {
    status: 403,
    title: 'The request does not come from the console',
    remedy:
      "Open the console at the registry's URL, over HTTPS or on its own machine. Programs send a token.",
  },
  console_file_unknown: {
    status: 404,
    title: 'No such file of the console',
    remedy: 'Reload the page: there is a newer console.',
  },
  console_unavailable: {
    status: 404,
    title: 'There is no console here',
    remedy: 'Build it with "npm run build -w @site/console", then reload the page.',
  },
  manifest_malformed: {
    status: 422,
    title: 'The manifest contradicts itself',
    remedy: 'Build the app again with "npm run build -w <app>", then publish it.',
  },
  remote_not_isolated: {
    status: 422,
    title: 'The remote would change pages of other remotes',
    remedy:
      'Use classes of CSS modules, and the names of your container. See "Another bundler" in docs/teams.md.',
  },
  blob_private: {
    status: 409,
    title: 'The file is a private file of another app',
    remedy: 'Remove it from the assets, or change its contents.',
  },
  blob_hash_mismatch: {
    status: 422,
    title: 'The file does not have the announced hash',
    remedy: 'Build the app again, then upload it.',
  },
  blob_missing: {
    status: 422,
    title: 'Files of the version are not in the store',
    remedy:
      'Upload them with PUT /v1/blobs/<hex>, then register the version; "npx @site/cli publish" does both.',
  },
  blob_size_mismatch: {
    status: 422,
    title: 'A file does not have the announced size',
    remedy: 'Build the app again, then publish it.',
  },
  version_conflict: {
    status: 409,
    title: 'The version exists with other contents',
    remedy: 'Versions are immutable: build again to get a new version id.',
  },
  asset_conflict: {
    status: 409,
    title: 'A file name is taken by other contents',
    remedy: 'File names contain a content hash: build with the shared configuration and publish again.',
  },
  quota_exceeded: {
    status: 409,
    title: 'The app has used up its quota',
    remedy:
      'Ask ops to delete the files of old versions ("npx @site/cli gc"), or to raise ' +
      'QUOTA_VERSIONS or QUOTA_GIGABYTES of the registry.',
  },
  path_taken: {
    status: 409,
    title: 'A path belongs to another remote',
    remedy: 'Choose another path, or first activate a version of the owning remote without it.',
  },
  path_reserved: {
    status: 409,
    title: 'A path is not reserved for this app',
    remedy:
      'Choose another path, or ask ops to change the reservation ("npx @site/cli app reserve <app> ' +
      '--paths … --reason …"); "npx @site/cli app list" shows all of them.',
  },
  form_recipient_foreign: {
    status: 403,
    title: 'A form notifies another team',
    remedy: 'Set "tell" to the team that owns the app, or ask ops to publish the version.',
  },
  app_unregistered: {
    status: 409,
    title: 'The app is not registered',
    remedy: 'Ask ops to register it: npx @site/cli app create <app> --owner <team> --paths <path…>.',
  },
  app_exists: {
    status: 409,
    title: 'The app is registered already',
    remedy:
      'Choose another name, or change the registration: "npx @site/cli app transfer" changes the ' +
      'owner, "npx @site/cli app reserve" the paths.',
  },
  links_remain: {
    status: 409,
    title: 'Other pages link to the app',
    remedy: 'Change those pages first, or add --yes. With --to the links lead to that page.',
  },
  target_unknown: {
    status: 422,
    title: 'The redirect target is not a live page',
    remedy:
      'Specify a page that stays live, such as "--to /about-us"; without --to the addresses respond 410.',
  },
  range_unmet: {
    status: 409,
    title: 'The shell does not offer what a remote needs',
    remedy:
      'First activate a build of the remote with the version that the shell offers, or a shell with ' +
      'the required version. Ops can leave the remote out: add "--without <app>".',
  },
  forms_unmet: {
    status: 409,
    title: 'The forms service would reject submissions of the version',
    remedy:
      'Deploy the forms service of the same commit first, remove the field from the form, or name ' +
      'the form in remote.config.ts; nothing was changed.',
  },
  forms_unknown: {
    status: 503,
    title: 'The forms service does not return its form contracts',
    remedy: 'Start or update the forms service, then try again. A rollback does not need it.',
  },
  inbox_unconfigured: {
    status: 409,
    title: 'The inbox is not configured',
    remedy:
      'Start the registry with FORMS_URL and INBOX_TOKEN, and the forms service with the same INBOX_TOKEN.',
  },
  inbox_unavailable: {
    status: 503,
    title: 'Submissions cannot be read now',
    remedy: 'Nothing is lost; check that the forms service is running, and try again.',
  },
  submission_unknown: {
    status: 404,
    title: 'No such submission',
    remedy: 'Take the id from a list; it may have been erased, or its retention period has ended.',
  },
  app_unknown: {
    status: 404,
    title: 'No such app',
    remedy: 'Check the name, or publish it with "npx @site/cli publish <app>".',
  },
  version_unknown: {
    status: 404,
    title: 'No such version',
    remedy:
      'Publish it with "npx @site/cli publish <app>", or choose one that "npx @site/cli versions <app>" lists.',
  },
  channel_unknown: {
    status: 404,
    title: 'No such channel',
    remedy: 'The channels are production and staging.',
  },
  release_unknown: {
    status: 404,
    title: 'No such release',
    remedy: 'Choose one that "npx @site/cli history" lists.',
  },
  asset_unknown: {
    status: 404,
    title: 'No such file was ever published',
    remedy: 'Check the app and the path.',
  },
  package_unknown: {
    status: 404,
    title: 'No such package',
    remedy: 'Publish the packages of the site with "npm run packages:publish".',
  },
  package_malformed: {
    status: 422,
    title: 'The tarball is not a package of the site',
    remedy: 'Publish the packages with "npm run packages:publish".',
  },
  package_exists: {
    status: 409,
    title: 'This version of the package exists with other contents',
    remedy:
      'A published version never changes: describe the change with "npx --no changeset", and run ' +
      '"npm run packages:version".',
  },
  release_incomplete: {
    status: 422,
    title: 'Something is missing in the release',
    remedy:
      'Name it ("npx @site/cli activate <app…> --config <file>"); later releases inherit anything you omit.',
  },
  brand_incomplete: {
    status: 422,
    title: 'The brand is incomplete for production',
    remedy:
      'Put the missing fields into a file and activate it: "npx @site/cli config set --brand ' +
      '<file>"; for the first release, into the "brand" of its configuration ("npx @site/cli ' +
      'activate <app…> --config <file>").',
  },
  redirect_loop: {
    status: 422,
    title: 'Redirects form a loop',
    remedy: 'Point them at a page of a remote that is in the release.',
  },
  version_quarantined: {
    status: 409,
    title: 'The version is quarantined',
    remedy:
      'Publish a fixed version; if the quarantine was a mistake, lift it: "npx @site/cli ' +
      'unquarantine <app>@<version> --reason …".',
  },
  parent_outdated: {
    status: 409,
    title: 'The channel has moved on',
    remedy: 'Check what changed ("npx @site/cli status"), then decide again.',
  },
  version_not_live: {
    status: 409,
    title: 'The version to roll back is not live',
    remedy: 'Check what is live ("npx @site/cli status"): someone may have rolled it back already.',
  },
  rollback_unclear: {
    status: 409,
    title: 'A canary shows another version of the app',
    remedy: 'Specify the version to roll back; nothing was changed.',
  },
  no_good_version: {
    status: 409,
    title: 'There is nothing to roll back to',
    remedy:
      'Publish a fixed version and activate it, or retire the remote until there is one: "npx ' +
      '@site/cli retire <app> --reason …".',
  },
  no_former_config: {
    status: 409,
    title: 'There is no such configuration to go back to',
    remedy:
      'Choose a release that "npx @site/cli history" lists, or set another one: "npx @site/cli config set <file>".',
  },
  config_not_live: {
    status: 409,
    title: 'The configuration to roll back is not live',
    remedy: 'Check what is live ("npx @site/cli config show"): someone may have rolled it back already.',
  },
  version_never_live: {
    status: 409,
    title: 'A rollback restores only versions that were live',
    remedy:
      'To make a version live for the first time, activate it: "npx @site/cli activate <app>@<version>".',
  },
  canary_running: {
    status: 409,
    title: 'A canary is running',
    remedy:
      'Wait for its author (shown by "npx @site/cli status"), or end it ("npx ' +
      '@site/cli abort <app>"); then try again.',
  },
  canary_unclear: {
    status: 409,
    title: 'Several canaries are running',
    remedy: 'Name the app of the canary: "npx @site/cli abort <app>"; nothing was changed.',
  },
  no_canary: {
    status: 409,
    title: 'That canary is not running',
    remedy:
      'See what is running ("npx @site/cli status"); start one with "npx @site/cli activate ' +
      '<app>@<version> --canary <share>".',
  },
  frozen: {
    status: 409,
    title: 'Changes are frozen',
    remedy:
      'Wait, or ask ops to unfreeze it ("npx @site/cli unfreeze [app] --reason …"); you can still ' +
      'abort, and roll back to a good version.',
  },
  page_not_rendered: {
    status: 422,
    title: 'A page does not render',
    remedy:
      'Fix the named page, then try again; nothing was changed. If a new shell causes the failure, ' +
      'ops can publish the shell with "--defer-live-checks" and activate it with "--without <app>".',
  },
  composer_unavailable: {
    status: 503,
    title: 'Pages cannot be rendered now',
    remedy: "Nothing was changed; try again, and check the registry's log.",
  },
  composer_busy: {
    status: answerStatus.limitReached,
    title: 'Too many pages wait to be rendered',
    remedy: 'Nothing was changed; wait as long as the "retry-after" header says, then try again.',
  },
  compression_busy: {
    status: answerStatus.limitReached,
    title: 'Too many files wait to be compressed',
    remedy: 'Nothing was changed; wait as long as the "retry-after" header says, then try again.',
  },
  links_busy: {
    status: answerStatus.limitReached,
    title: 'Too many searches for links wait',
    remedy: 'Nothing was changed; wait as long as the "retry-after" header says, then try again.',
  },
  store_unavailable: {
    status: 503,
    title: 'The artifact store does not work',
    remedy: "Nothing was changed; try again, and check the registry's log.",
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used for another request',
    remedy: 'Use a new key for each command, and the same key for its retries.',
  },
  budget_exceeded: {
    status: 422,
    title: 'A size budget is exceeded',
    remedy:
      'Make the first view of the page load less (split, drop or shrink what is large), then build and publish again.',
  },
  version_collected: {
    status: 410,
    title: 'The files of the version were removed',
    remedy: 'Publish it again from its commit with "npx @site/cli publish <app>", then activate it.',
  },
  edge_unknown: {
    status: 404,
    title: 'No such edge',
    remedy: 'Choose one that "npx @site/cli edge list" shows.',
  },
  edge_alive: {
    status: 409,
    title: 'The edge is still reporting',
    remedy: 'Stop it first; an edge that shuts down cleanly is removed automatically.',
  },
  preview_unknown: {
    status: 404,
    title: 'No such preview',
    remedy: 'Make one with "npx @site/cli preview <app>".',
  },
  preview_over: {
    status: 410,
    title: 'The preview has ended',
    remedy: 'Ask its author for a new link: "npx @site/cli preview <app>" makes one.',
  },
  token_unknown: {
    status: 404,
    title: 'No such token',
    remedy: 'Choose one that "npx @site/cli token list" shows.',
  },
  token_in_use: {
    status: 409,
    title: 'You are using this token',
    remedy: 'Revoke it with another ops token, so that you do not lock yourself out.',
  },
  trust_unknown: {
    status: 404,
    title: 'No such trust',
    remedy: 'Choose one that "npx @site/cli trust list" shows.',
  },
  trust_exists: {
    status: 409,
    title: 'This trust already exists',
    remedy: 'Nothing to do; "npx @site/cli trust list" shows it.',
  },
  trusts_full: {
    status: 409,
    title: 'There are too many trusts',
    remedy: 'Remove one with "npx @site/cli trust remove <id> --reason …", then try again.',
  },
  id_token_invalid: {
    status: 401,
    title: 'The id token of the pipeline is not valid',
    remedy: 'Run the job again to get a new one. It is valid for some minutes.',
  },
  id_token_used: {
    status: 401,
    title: 'The id token was already exchanged',
    remedy:
      'An id token works once. For several commands of a job exchange it once: export ' +
      'SITE_TOKEN="$(npx @site/cli token exchange)".',
  },
  id_token_untrusted: {
    status: 403,
    title: 'No trust matches this pipeline',
    remedy: 'Ask ops for "npx @site/cli trust add <app> --issuer <url> --claim <name=value…>".',
  },
  issuer_unavailable: {
    status: 503,
    title: 'The keys of the issuer of id tokens cannot be read',
    remedy: 'Try again; if it keeps failing, check that the registry can reach the issuer.',
  },
  alert_hook_unknown: {
    status: 404,
    title: 'No such hook',
    remedy: 'Choose one that "npx @site/cli alert list" shows.',
  },
  alert_hooks_full: {
    status: 409,
    title: 'There are too many hooks',
    remedy: 'Remove one with "npx @site/cli alert remove <id> --reason …", then try again.',
  },
  registry_busy: {
    status: answerStatus.limitReached,
    title: 'Too many changes are under way',
    remedy: 'Nothing was deleted; try again in a moment.',
  },
  registry_empty: {
    status: 409,
    title: 'The registry is empty',
    remedy: 'Restore its backup ("npx @site/cli restore"), or publish first; nothing was deleted.',
  },
  log_damaged: {
    status: 409,
    title: 'The audit log is damaged',
    remedy: 'Restore a backup. "npx @site/cli verify" shows the damage.',
  },
  registry_not_empty: {
    status: 409,
    title: 'The registry is not empty',
    remedy: 'Restore into a new registry: a new database and an empty artifact store.',
  },
  backup_invalid: {
    status: 422,
    title: 'The archive is not a complete backup',
    remedy: 'Take another backup; nothing was restored.',
  },
});

export function versionUnknown(app: string, version: string) {
  return registryErrors.version_unknown(`There is no version ${app}@${version}.`);
}
