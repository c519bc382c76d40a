import type { Page } from 'playwright-core';
import { waitFor } from '@site/server/testing/wait-for';
import { ofKind, collectReports } from '../reports.ts';
import type { Visitor } from '../visitor.ts';
import { act, look, watch, type Acted, type Shown, type Typed } from './in-page.ts';
import type { Step } from './steps.ts';
import { UnsteadyNetwork } from './unsteady-network.ts';

export type KnownPages = ReadonlyMap<string, { title: string; headings: readonly string[] }>;

/** Later parts are requested again after 0.5, 1 and 2 s. */
const SETTLE_MS = 8_000;
const ANSWER_MS = 3_000;
/** The height of the fixed header and the distance below it. */
const ANCHOR_TOP = 88;

/** Console messages about requests that were disturbed. */
const expectedMessages = [
  /^error: Failed to load resource/,
  /^warning: mfe-[\w-]+ failed on [^ ]+(?:; retrying)?\./,
  /^warning: \/__site\/state could not be loaded\./,
  /^error: The guest identity could not be loaded\./,
  /^warning: The resource .* was preloaded using link preload but not used/,
  /^error: Loading chunk /,
];

interface Kept extends Typed {
  document: number;
  /** Whether it was stored: otherwise it only exists in its document. */
  isStored: boolean;
}

/** One visitor in one tab, with a model of what the page must show. */
export class Walker {
  taken = 0;
  private readonly page: Page;
  private readonly network: UnsteadyNetwork;
  private readonly reports: ReturnType<typeof collectReports>;
  private readonly visitor: Visitor;
  private readonly known: KnownPages;
  private readonly typed = new Map<string, Kept>();
  private readonly places = new Map<string, number>();
  private last: 'opened' | 'returned' | 'scrolled' | 'other' | null = 'other';
  private scrolled: { key: string | null; y: number } | null = null;
  private searched: string | null = null;
  private hasMoved = true;
  private failures = 0;
  private readonly causes = new Map<string, number>();

  private constructor(visitor: Visitor, network: UnsteadyNetwork, known: KnownPages) {
    this.visitor = visitor;
    this.page = visitor.page;
    this.network = network;
    this.known = known;
    this.reports = collectReports(visitor);
  }

  static async open(visitor: Visitor, url: string, known: KnownPages): Promise<Walker> {
    await visitor.page.addInitScript(watch);
    const walker = new Walker(visitor, await UnsteadyNetwork.of(visitor.page), known);
    await visitor.page.goto(url, { waitUntil: 'commit' });
    return walker;
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'disturb':
        return this.network.disturb(step);
      case 'pause':
        return this.page.waitForTimeout(step.ms);
      case 'look':
        return this.waitForAnswer();
      case 'settle':
        return this.settle();
      case 'search':
        return this.search(step);
      default:
    }
    const acted = await this.inPage(act, step);
    this.remember(acted);
    if (!acted.isDone) return;
    this.taken += 1;
    if (step.do === 'hover') return;
    if (step.do === 'type') {
      if (acted.typed) this.type(acted, acted.typed);
      this.last = 'other';
    } else if (step.do === 'scroll') {
      const y = acted.scrolledTo ?? 0;
      const isKnown = !this.hasMoved && y > 0;
      this.last = isKnown ? 'scrolled' : 'other';
      this.scrolled = { key: acted.key, y };
    } else {
      this.searched = null;
      const isReload = step.do === 'reload' || step.do === 'discard';
      const isBack = step.do === 'back' || step.do === 'forward';
      // A reload during a navigation shows the page of the current address, which depends on timing.
      this.last = isReload ? (this.hasMoved ? 'other' : 'returned') : isBack ? 'returned' : 'opened';
      // Before hydration, only the browser handles the history.
      if (isBack && !acted.isInteractive) this.last = 'other';
      if (!isReload) this.hasMoved = true;
      for (const [id, { form }] of this.typed) if (form === 'calculator') this.typed.delete(id);
      if (isReload)
        await this.page.waitForFunction((before) => performance.timeOrigin !== before, acted.document);
    }
  }

  /** Ends all disturbances, and waits until page and model agree. */
  async settle(): Promise<void> {
    this.network.end();
    const { failed } = this.network;
    this.failures += failed.length;
    for (const path of failed) {
      const [, app = ''] = /^\/assets\/([^/]+)\//.exec(path) ?? [];
      this.causes.set(app, (this.causes.get(app) ?? 0) + 1 / 2);
    }
    const shown = await waitFor(
      async () => {
        const seen = await this.inPage(look);
        this.expectAgreement(seen);
        return seen;
      },
      { description: 'page and model to agree', limitMs: SETTLE_MS },
    );
    this.network.failed = [];
    if (shown.key !== null) this.places.set(shown.key, shown.y);
    this.last = null;
    this.hasMoved = false;
    this.expectNoFault();
  }

  private expectAgreement(shown: Shown): void {
    const { href, intent, headings, title } = shown;
    const pending = this.network.pending();
    if (pending.length > 0) throw new Error(`Requests without an answer: ${pending.join(' ')}`);
    if (!shown.isInteractive || shown.isNavigating) throw new Error(`${href} does not answer yet.`);
    if (shown.hasErrorPanel) this.tryAgain(shown);
    if (shown.silent.length > 0) throw new Error(`${href} is not hydrated: ${shown.silent.join(' ')}`);

    const { pathname, search } = new URL(href);
    const known = this.known.get(pathname);
    const shows = JSON.stringify({ title, headings });
    if (!known) throw new Error(`${pathname} is no page of the site.`);
    if (known.title !== title || headings.length !== 1 || !known.headings.includes(headings[0] ?? ''))
      throw new Error(`${pathname} shows ${shows} instead of ${JSON.stringify(known)}.`);
    const links = ['/home', '/blocks', '/start', '/support', '/developers'];
    const current = links.filter((link) => link === pathname);
    if (JSON.stringify(shown.current) !== JSON.stringify(current))
      throw new Error(`${pathname} has the current links ${JSON.stringify(shown.current)}.`);
    if (this.searched === null) this.expectAddress(pathname, intent);
    else if (pathname + search !== this.searched)
      throw new Error(`The search for ${this.searched} led to ${href}.`);
    this.expectTexts(shown);
    this.expectPlace(shown);
  }

  /** Only the calculator changes the query by itself. */
  private expectAddress(pathname: string, intent: string): void {
    const wanted = new URL(intent).pathname.replace(/^\/company\/(?:team|investors|about-us)$/, '/about-us');
    if (wanted !== pathname) throw new Error(`The visitor opened ${intent} and is at ${pathname}.`);
  }

  private expectTexts(shown: Shown): void {
    const query = new URL(shown.href).searchParams;
    for (const [id, kept] of this.typed) {
      const { form, name, text } = kept;
      if (shown.document !== kept.document && !kept.isStored) {
        this.typed.delete(id);
        continue;
      }
      const field = shown.fields.find((each) => each.form === form && each.name === name);
      if (field && field.text !== text)
        throw new Error(`"${text}" was typed into ${name} of ${form}, which holds "${field.text}".`);
      const isWritten = form === 'calculator' ? query.get(name) === text : shown.drafts.includes(`"${text}"`);
      if (field && !isWritten)
        throw new Error(`"${text}" in ${name} of ${form} is not stored: ${shown.href}`);
    }
    for (const { form, name, text } of shown.fields)
      if (form === 'calculator' && query.has(name) && query.get(name) !== text)
        throw new Error(`${name} is ${text} at ${shown.href}`);
  }

  private expectPlace({ key, y, farthest, href, anchorTop }: Shown): void {
    const { last, scrolled } = this;
    const expected =
      last === 'returned' && key !== null
        ? this.places.get(key)
        : last === 'scrolled' && scrolled?.key === key
          ? scrolled.y
          : last === 'opened' && !new URL(href).hash && this.searched === null
            ? 0
            : undefined;
    if (expected !== undefined && Math.abs(Math.min(expected, farthest) - y) > 2)
      throw new Error(`${href} (${last}) is at ${y} of ${farthest} instead of ${expected}.`);
    const isBounded = y >= farthest || (y === 0 && Number(anchorTop) < ANCHOR_TOP);
    if (last === 'opened' && anchorTop !== null && !isBounded && Math.abs(anchorTop - ANCHOR_TOP) > 2)
      throw new Error(`The anchor of ${href} is ${anchorTop} below the top.`);
  }

  /** A page fails only if its files failed twice, and a retry restores it. */
  private tryAgain({ href }: Shown): never {
    const apps = new Set(this.network.failed.map((path) => path.split('/')[2]));
    const twice = [...apps].some(
      (app) => this.network.failed.filter((path) => path.split('/')[2] === app).length > 1,
    );
    if (!twice) throw new Error(`${href} failed, although its files failed once at most.`);
    // The panel is shorter than the page, and replaces a form that was never hydrated.
    this.last = 'other';
    this.typed.clear();
    // The document may be replaced during the click.
    void this.page
      .evaluate(() => {
        const button = document.querySelector<HTMLElement>('[data-testid=error-panel] button');
        if (button?.ariaDisabled !== 'true') button?.click();
      })
      .catch(() => undefined);
    throw new Error(`${href} failed, and a retry does not bring it.`);
  }

  /** Expects no uncaught errors, and at most one fault per cause. */
  expectNoFault(): void {
    const problems = this.visitor
      .problems()
      .filter((problem) => this.failures === 0 || !expectedMessages.some((each) => each.test(problem)));
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const faults = ofKind(this.reports(), 'faults').flatMap((report) => report.faults);
    for (const { kind, app, message } of faults) {
      const same = faults.filter((fault) => fault.kind === kind && fault.app === app);
      if (kind !== 'load' || same.length > Math.floor(this.causes.get(app) ?? 0))
        throw new Error(`${same.length} faults of ${app}: ${kind}, ${message}`);
    }
  }

  private type({ document }: Acted, { form, name, text }: Typed): void {
    this.typed.set(`${form} ${name}`, { form, name, text, document, isStored: false });
  }

  /** Reads the stored drafts and the scroll position before an act. */
  private remember({ key, y, drafts, document, isInteractive }: Acted): void {
    for (const kept of this.typed.values())
      if (kept.document === document && drafts.includes(`"${kept.text}"`)) kept.isStored = true;
    // Positions are not stored before hydration.
    if (isInteractive && !this.hasMoved && key !== null && this.last !== 'returned') this.places.set(key, y);
  }

  private async search({ words, choose, corrected, isLate }: Extract<Step, { do: 'search' }>): Promise<void> {
    const { keyboard } = this.page;
    const field = this.page.locator('header [type=search]');
    await this.waitForAnswer();
    this.remember(await this.inPage(act, { do: 'look' } as const));
    await field.evaluate((element: HTMLInputElement) => {
      element.focus({ preventScroll: true });
      element.select();
    });
    await keyboard.insertText(words);
    let isChosen = false;
    if (choose) {
      const options = this.page.locator('header [role=option]').first();
      await options.waitFor({ timeout: ANSWER_MS }).catch(() => undefined);
      await keyboard.press('ArrowDown');
      isChosen = (await field.getAttribute('aria-activedescendant')) !== null;
    }
    if (corrected !== null) {
      if (isLate) this.network.disturb({ resource: 'state', effect: 'hold', times: 1 });
      await field.evaluate((element: HTMLInputElement) => element.select());
      await keyboard.insertText(corrected);
      isChosen = false;
    }
    this.taken += 1;
    this.last = 'other';
    this.hasMoved = true;
    for (const [id, { form }] of this.typed) if (form === 'calculator') this.typed.delete(id);
    // Only the site knows the address of a suggestion.
    if (isChosen) {
      await field.fill('');
      await keyboard.press('Escape');
      return;
    }
    this.searched = `/search?q=${corrected ?? words}`;
    await keyboard.press('Enter');
  }

  private async waitForAnswer(): Promise<void> {
    const { page, network } = this;
    if (network.isHeld('shell')) return;
    await page
      .waitForSelector('html[data-interactive]:not([data-navigating])', {
        state: 'attached',
        timeout: ANSWER_MS,
      })
      .catch(() => undefined);
  }

  /** Runs a function in the open document, or in its replacement after a navigation. */
  private async inPage<Result>(task: () => Result): Promise<Result>;
  private async inPage<Argument, Result>(
    task: (argument: Argument) => Result,
    argument: Argument,
  ): Promise<Result>;
  private async inPage<Argument, Result>(
    task: (argument?: Argument) => Result,
    argument?: Argument,
  ): Promise<Result> {
    for (;;) {
      try {
        await this.page.waitForFunction(() => document.readyState !== 'loading' && 'watched' in window);
        return await this.page.evaluate<Result, Argument | undefined>(task as never, argument);
      } catch (error) {
        if (!/context was destroyed|navigat/i.test(String(error))) throw error;
      }
    }
  }
}
