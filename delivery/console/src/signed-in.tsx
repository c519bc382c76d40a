import { ChannelNameSchema } from '@site/contract';
import type { Session } from '@site/contract/registry-calls/session.calls';
import { SectionBoundary } from '@site/kit/host';
import { Notice } from '@site/ui/notice';
import { useEffect, useMemo } from 'react';
import { Route, Routes, useLocation, useSearchParams } from 'react-router-dom';
import { ActionStage } from './actions/action-stage.tsx';
import { createAsk } from './data/client.ts';
import { createFollowing, type Following } from './data/follow.ts';
import { createReads, type Reads } from './data/reads.ts';
import { ConsoleContext } from './data/use-console.ts';
import { Layout } from './layout/layout.tsx';
import { AppsView } from './views/apps-view.tsx';
import { AuditView } from './views/audit-view.tsx';
import { CompareView } from './views/compare-view.tsx';
import { ExperimentsView } from './views/experiments-view.tsx';
import { FaultsView } from './views/faults-view.tsx';
import { FormsView } from './views/forms-view.tsx';
import { GuardingView } from './views/guarding-view.tsx';
import { InboxView } from './views/inbox-view.tsx';
import { NowView } from './views/now-view.tsx';
import { RemoteView } from './views/remote-view.tsx';
import { TimelineView } from './views/timeline-view.tsx';
import { DifferenceView } from './views/difference-view.tsx';
import { TokensView } from './views/tokens-view.tsx';
import * as v from 'valibot';
import { ToView } from './layout/to-view.tsx';
import { View } from './parts/view.tsx';

interface SignedInProps {
  session: Session;
  /** Must be stable. @param because null if the user signed out. */
  onSignedOut: (ended: Session, because: string | null) => void;
}

export function SignedIn({ session, onSignedOut }: SignedInProps) {
  const [search] = useSearchParams();
  const asked = search.get('channel') || null;
  const isKnown = asked === null || v.is(ChannelNameSchema, asked);
  const channel = isKnown && asked !== null ? asked : 'production';

  const { ask, reads, following } = useMemo(() => {
    const newAsk = createAsk((because) => onSignedOut(session, because));
    const newReads: Reads = createReads(newAsk, (answered) => newFollowing.noteResult(answered));
    const newFollowing: Following = createFollowing(() => newReads.refresh());
    return { ask: newAsk, reads: newReads, following: newFollowing };
  }, [onSignedOut, session]);
  useEffect(() => following.start(channel), [following, channel]);

  const services = useMemo(
    () => ({ session, ask, reads, following, channel }),
    [session, ask, reads, following, channel],
  );
  return (
    <ConsoleContext value={services}>
      <ActionStage>
        <Layout shown={isKnown ? channel : null} onSignedOut={() => onSignedOut(session, null)}>
          {isKnown ? <Views /> : <UnknownChannelView name={asked} />}
        </Layout>
      </ActionStage>
    </ConsoleContext>
  );
}

function Views() {
  const { pathname } = useLocation();
  return (
    // With the key, another view is a new attempt.
    <SectionBoundary key={pathname} fallback={<FailedView />}>
      <Routes>
        <Route index element={<NowView />} />
        <Route path="apps" element={<AppsView />} />
        <Route path="apps/:app" element={<RemoteView />} />
        <Route path="apps/:app/compare/:version/:control" element={<CompareView />} />
        <Route path="timeline" element={<TimelineView />} />
        <Route path="timeline/:from/:to" element={<DifferenceView />} />
        <Route path="faults" element={<FaultsView />} />
        <Route path="forms" element={<FormsView />} />
        <Route path="experiments" element={<ExperimentsView />} />
        <Route path="inbox" element={<InboxView />} />
        <Route path="audit" element={<AuditView />} />
        <Route path="tokens" element={<TokensView />} />
        <Route path="freezes" element={<GuardingView />} />
        <Route path="*" element={<UnknownView />} />
      </Routes>
    </SectionBoundary>
  );
}

function FailedView() {
  return (
    <View title="This view failed">
      <Notice tone="error" title="This is a bug in the console, not in the site.">
        <p>Open another view, or reload the page. The command line has the same data.</p>
      </Notice>
    </View>
  );
}

function UnknownView() {
  return (
    <View title="View not found">
      <p>
        Go to <ToView path="/">the live versions</ToView>.
      </p>
    </View>
  );
}

/** Shows no other channel instead, because the user would act on the wrong one. */
function UnknownChannelView({ name }: { name: string }) {
  return (
    <View title={`There is no channel “${name}”`}>
      <p>
        Go to <ToView path="/">the live versions on production</ToView>.
      </p>
    </View>
  );
}
