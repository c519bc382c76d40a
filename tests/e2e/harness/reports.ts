import type { Request } from 'playwright-core';
import type { Report, Signals } from '@site/contract/signals/report.schema';
import type { Visitor } from './visitor.ts';

const isOfSignals = (request: Request) => new URL(request.url()).pathname === '/__site/signals';

export function collectReports({ page }: Pick<Visitor, 'page'>): () => Report[] {
  const sent: Report[] = [];
  page.on('request', (request) => {
    if (isOfSignals(request) && request.method() === 'POST')
      sent.push(...(JSON.parse(request.postData() ?? '{"reports":[]}') as Signals).reports);
  });
  return () => sent;
}

export const ofKind = <Kind extends Report['kind']>(reports: Report[], kind: Kind) =>
  reports.filter((report): report is Extract<Report, { kind: Kind }> => report.kind === kind);
