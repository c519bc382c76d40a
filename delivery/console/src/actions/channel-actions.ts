import type { ChangeAnswer } from '@site/contract';
import { changeLines } from '@site/contract/change-lines';
import { servesCanary, servesLive, servesNoOldCanary, type EdgeGoal } from '@site/contract/edge-goals';
import type { Stages } from '@site/contract/registry-calls/channel.calls';
import type { RunningCanary } from '@site/contract/registry-calls/view.calls';
import type { ActionOutcome, AppVersion, ConsoleAction, Order } from './action.ts';

const whyBad = ['Visitors see errors', 'It looks broken', 'It is slow', 'A form does not send'];
const whyGood = ['It is healthy', 'The team asked for it'];

export type SeenCanary = Pick<RunningCanary, 'release' | 'app' | 'version' | 'share'>;

/** Fails if another canary of the app runs by now. */
function canaryAction(channel: string, { release, app, version }: SeenCanary) {
  return {
    what: {
      needs: [version === null ? 'ops' : `activate:${app}`],
      about: (version === null ? [] : [{ app, version }]) satisfies AppVersion[],
    },
    request: ({ reason, dryRun }: Order) => ({
      params: { channel },
      body: { reason, ifCanary: release, dryRun },
    }),
  };
}

function outcome(answer: ChangeAnswer, says: string, goal: EdgeGoal): ActionOutcome {
  return { changed: answer.changed, says, lines: changeLines(answer), goal };
}

export function rollBack(channel: string, app: string, version: string, guardSays?: string): ConsoleAction {
  return {
    title: `Roll back ${app}`,
    confirm: `Take ${version} away`,
    reasons: [...(guardSays === undefined ? [] : [guardSays]), ...whyBad],
    needs: [`activate:${app}`],
    about: [{ app, version }],
    async run(ask, { reason, dryRun, key }) {
      const answer = await ask(
        'rollBack',
        // Names the version so that a concurrent rollback is not followed by a second one.
        { params: { channel }, body: { app, from: version, reason, dryRun } },
        key,
      );
      const { release, putBack, canariesEnded = [] } = answer;
      const isCanarys = !putBack && canariesEnded.some((ended) => ended.app === app);
      return outcome(
        answer,
        isCanarys ? `The canary of ${app} has ended` : `${release.id} is live on ${channel}`,
        servesLive(release.id),
      );
    },
  };
}

export function promote(channel: string, canary: SeenCanary): ConsoleAction {
  const { what, request } = canaryAction(channel, canary);
  return {
    title: `Promote ${canary.release} of ${canary.app} to everyone`,
    confirm: `Show ${canary.release} to everyone`,
    reasons: whyGood,
    ...what,
    async run(ask, order) {
      const answer = await ask('promoteCanary', request(order), order.key);
      return outcome(answer, `${answer.release.id} is live on ${channel}`, servesLive(answer.release.id));
    },
  };
}

export function abort(channel: string, canary: SeenCanary): ConsoleAction {
  const { what, request } = canaryAction(channel, canary);
  return {
    title: `End the canary ${canary.release} of ${canary.app}`,
    confirm: `End the canary ${canary.release}`,
    reasons: whyBad,
    ...what,
    async run(ask, order) {
      const answer = await ask('abortCanary', request(order), order.key);
      return outcome(
        answer,
        `The canary has ended: its visitors see ${answer.release.id}`,
        servesNoOldCanary,
      );
    },
  };
}

export function changeShare(channel: string, canary: SeenCanary, share: number): ConsoleAction {
  const { what, request } = canaryAction(channel, canary);
  const verb = share > canary.share ? 'Raise' : 'Lower';
  return {
    title: `${verb} the canary ${canary.release} of ${canary.app} to ${share} %`,
    confirm: `Show ${canary.release} to ${share} %`,
    reasons: whyGood,
    ...what,
    async run(ask, order) {
      const { params, body } = request(order);
      const answer = await ask('changeShare', { params, body: { ...body, share } }, order.key);
      return outcome(
        answer,
        `${canary.release} is shown to ${share} % of the visitors`,
        servesCanary(canary.release),
      );
    },
  };
}

interface Activation {
  app: string;
  version: string;
  share: number | null;
  stages?: Stages;
}

export function activate(channel: string, wanted: Activation): ConsoleAction {
  const { app, version, share, stages } = wanted;
  const whom = share === null ? 'everyone' : `${share} % of the visitors`;
  return {
    title: `Show ${app}@${version} to ${whom}`,
    confirm: `Show ${version} to ${whom}`,
    reasons: ['A new version', 'The team asked for it', 'It is good after all'],
    needs: [`activate:${app}`],
    about: [{ app, version }],
    async run(ask, { reason, dryRun, key, live }) {
      const body = {
        apps: { [app]: version },
        reason,
        dryRun,
        ...(live === undefined ? {} : { ifLive: live }),
        ...(share === null ? {} : { share }),
        ...(stages ? { stages } : {}),
      };
      const answer = await ask('createRelease', { params: { channel }, body }, key);
      return share === null
        ? outcome(answer, `${answer.release.id} is live on ${channel}`, servesLive(answer.release.id))
        : outcome(
            answer,
            `${answer.release.id} is shown to ${share} % of the visitors`,
            servesCanary(answer.release.id),
          );
    },
  };
}
