import { environmentFiles } from '../../../deploy/package/environment-files.ts';

/** Variables of the AWS SDK, which documents them. */
const AWS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
const COMMAND_LINE = ['SITE_REGISTRY', 'SITE_TOKEN'];

/** The variables that each role of the image reads: its settings in docs/deployment.md. */
export async function settingsByRole(): Promise<Record<string, Set<string>>> {
  const files = await environmentFiles();
  const ofServers = Object.entries(files).map(([role, text]) => {
    const names = [...text.matchAll(/^#([A-Z\d_]+)=/gm)].map(([, name = '']) => name);
    return [role, new Set([...names, ...AWS, 'HOST', 'PORT', 'DATA_DIR'])] as const;
  });
  const commands = ['cli', 'release'].map((role) => [role, new Set(COMMAND_LINE)] as const);
  return Object.fromEntries([...ofServers, ...commands]);
}

/** Port of a server's requests, and of its health checks and metrics. */
export const ports: Record<string, { port: number; ops: number }> = {
  registry: { port: 8083, ops: 8083 },
  edge: { port: 8080, ops: 8090 },
  gateway: { port: 8081, ops: 8081 },
  forms: { port: 8082, ops: 8082 },
};
