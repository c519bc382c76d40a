import { InvalidArgumentError, type Command } from 'commander';
import * as v from 'valibot';
import { EmailSchema, UuidSchema } from '@site/contract';
import { CliError } from '../cli-error.ts';
import { table } from '../output.ts';
import { timeText } from '@site/contract/text';
import { visitorServices, type VisitorService } from '../visitor-services.ts';
import { printJson, type CommandContext } from './command-context.ts';

interface ExportOptions {
  email?: string;
}

interface EraseOptions extends ExportOptions {
  dryRun?: boolean;
  json?: boolean;
}

const settings = `
SITE_GATEWAY and SITE_FORMS are the URLs of the services, SITE_ADMIN_TOKEN gives you access;
without them: the site that "npm start" runs from this checkout.`;

export function addVisitor(program: Command, context: CommandContext): void {
  const visitor = program.command('visitor').description('export or erase all data of one visitor');

  addVisitorArgument(
    visitor.command('export').description('print all data of a visitor as one JSON document'),
  )
    .option('--json', 'also print errors as JSON; the result is JSON in any case')
    .addHelpText(
      'after',
      `${settings}

A guest id proves nothing: another visitor's browser may use it. With an id alone, rows with an email
address are withheld. Let the visitor confirm the address by email, then add --email.

Example:
  $ npx @site/cli visitor export 5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11 --email ada@example.com > visitor.json
  $ npx @site/cli visitor export --email ada@example.com > visitor.json`,
    )
    .action((id: string | undefined, { email }: ExportOptions, command: Command) =>
      exportVisitor(context, id ?? requireVisitor(command, undefined, email), email),
    );

  addVisitorArgument(visitor.command('erase').description('remove all data of a visitor; cannot be undone'))
    .option('--dry-run', 'show what would be removed; change nothing')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `${settings}
Each service keeps an audit entry with time and row counts, and no personal data. If a service fails,
run the same command again: it removes what is left.

Examples:
  $ npx @site/cli visitor erase 5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11 --dry-run
  $ npx @site/cli visitor erase 5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11
  $ npx @site/cli visitor erase --email ada@example.com`,
    )
    .action((id: string | undefined, options: EraseOptions, command: Command) =>
      eraseVisitor(context, requireVisitor(command, id, options.email), options),
    );
}

function addVisitorArgument(command: Command): Command {
  return command
    .argument('[guest-id]', 'the "user_unique_id" in the visitor\'s token', guestId)
    .option('--email <address>', 'all data with this email address, even without an identity', address);
}

function guestId(text: string): string {
  const id = v.safeParse(UuidSchema, text);
  if (id.success) return id.output;
  throw new InvalidArgumentError('A guest id is a UUID, such as 5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11.');
}

function address(text: string): string {
  const email = v.safeParse(EmailSchema, text);
  if (email.success) return email.output;
  throw new InvalidArgumentError('It must be an email address, such as ada@example.com.');
}

function requireVisitor(command: Command, id: string | undefined, email: string | undefined): string {
  if (id !== undefined && email !== undefined) {
    command.error('error: give either a guest id or --email, not both');
  }
  return id ?? email ?? command.error("error: missing required argument 'guest-id', or --email <address>");
}

async function exportVisitor(
  context: CommandContext,
  visitor: string,
  email: string | undefined,
): Promise<void> {
  const services = await visitorServices(context.root, context.env);
  const stored = await readAll(services, visitor);
  const shown = Object.entries(stored).map(([service, tables]) => [service, withheld(tables, email)]);
  printJson(context, { visitor, exported_at: new Date().toISOString(), ...Object.fromEntries(shown) });
}

const addresses = /[^\s"'<>@,;:]+@[^\s"'<>@,;:]+\.[^\s"'<>@,;:]+/g;

/** A guest id may have been planted in another visitor's browser: rows with email addresses need the right one. */
function withheld(tables: Record<string, unknown[]>, email: string | undefined): Record<string, unknown[]> {
  const isProven = (row: unknown) => {
    const found = JSON.stringify(row).match(addresses) ?? [];
    return found.length === 0 || found.some((each) => each.toLowerCase() === email?.toLowerCase());
  };
  const only = (row: unknown) => ({ id: (row as { id?: unknown }).id, withheld: true });
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [
      name,
      rows.map((row) => (isProven(row) ? row : only(row))),
    ]),
  );
}

async function eraseVisitor(
  context: CommandContext,
  visitor: string,
  { dryRun = false, json }: EraseOptions,
): Promise<void> {
  const services = await visitorServices(context.root, context.env);
  // Reads all services first: if one is unreachable, none erases its part alone.
  const stored = await readAll(services, visitor);
  const planned = Object.entries(stored).map(([service, tables]) => ({ service, rows: rowCounts(tables) }));
  if (dryRun) {
    if (json) return printJson(context, { visitor, dryRun, services: planned });
    context.io.out(`would remove of ${visitor}:\n${rowsTable(planned)}nothing was removed\n`);
    return;
  }

  const removed = [];
  for (const service of services) {
    const erasure = await service.erase(visitor);
    if (erasure) removed.push({ service: service.name, ...erasure });
  }
  if (json) return printJson(context, { visitor, dryRun, services: removed });
  context.io.out(`removed of ${visitor}:\n${rowsTable(removed)}`);
  for (const { service, audit, at } of removed) {
    context.io.out(`${service} keeps the audit entry ${audit} of ${timeText(at)}\n`);
  }
}

/** @throws CliError `visitor_unknown`. */
async function readAll(services: VisitorService[], visitor: string) {
  const found = await Promise.all(
    services.map(async (service) => [service.name, (await service.read(visitor)) ?? {}] as const),
  );
  if (found.every(([, tables]) => Object.keys(tables).length === 0)) {
    throw new CliError(
      'visitor_unknown',
      `Nothing is stored about "${visitor}". Check the address, or the guest id: it is the "user_unique_id" in ` +
        "the visitor's token.",
    );
  }
  return Object.fromEntries(found);
}

function rowCounts(tables: Record<string, unknown[]>): Record<string, number> {
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length]));
}

function rowsTable(services: { service: string; rows: Record<string, number> }[]): string {
  const lines = services.flatMap(({ service, rows }) =>
    Object.entries(rows).map(([name, count]) => [service, name, String(count)]),
  );
  return table([['SERVICE', 'TABLE', 'ROWS'], ...lines]);
}
