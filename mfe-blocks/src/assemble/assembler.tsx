import { useEffect, useRef, useState } from 'react';
import { CHECKED_BY_ATTRIBUTE } from '@site/contract/boot-data';
import { Link, useBrand } from '@site/kit';
import { BlockGlyph } from '@site/ui/blocks/block-glyph';
import type { BlockName } from '@site/ui/blocks/block-name';
import { Button, ButtonLink } from '@site/ui/button';
import { CodeSample, Highlighted } from '@site/ui/code-sample';
import { copyText } from '@site/ui/copy-text';
import { LiveRegion } from '@site/ui/notice';
import { usePageQuery } from '@site/ui/page-query';
import { Picture } from '@site/ui/picture';
import { blocks } from '../pages/blocks-page.data.ts';
import { plate } from './plate.art.tsx';
import { client, sets, starters } from './starters.ts';
import styles from './assembler.module.css';

const PARAMETER = 'block';
const assemblerPath = (chosen: readonly string[]) =>
  `/blocks?${new URLSearchParams(chosen.map((slug) => [PARAMETER, slug])).toString()}#assemble`;
const starterCode = (slug: BlockName, name: string) => `\n// ${name}\n${starters[slug]}\n`;

/**
 * A backend from checked blocks. The document contains every part of the result, and styles show those of checked
 * blocks: so it works without JavaScript, with the URL's blocks checked by the edge.
 */
export default function Assembler() {
  const { application } = useBrand();
  const [query, replaceQuery] = usePageQuery();
  const form = useRef<HTMLFormElement>(null);
  const [copied, setCopied] = useState<boolean | null>(null);
  const asked = query.getAll(PARAMETER);
  const chosen = blocks.filter(({ slug }) => asked.includes(slug));

  /** The checkboxes are right: the visitor may have used them before this code arrived. */
  const syncUrl = () => {
    const next = new URLSearchParams(window.location.search);
    const before = next.getAll(PARAMETER).join();
    next.delete(PARAMETER);
    for (const slug of new FormData(form.current ?? undefined).getAll(PARAMETER))
      next.append(PARAMETER, slug as string);
    if (next.getAll(PARAMETER).join() !== before) replaceQuery(next);
    setCopied(null);
  };
  // oxlint-disable-next-line react/exhaustive-deps -- once, on arrival
  useEffect(syncUrl, []);
  const share = async () => {
    const link = new URL(assemblerPath(chosen.map(({ slug }) => slug)), window.location.href);
    setCopied(await copyText(link.href));
  };

  return (
    <form
      ref={form}
      action="/blocks#assemble"
      className={styles.assembler}
      aria-label="Assemble your backend"
    >
      <div className={styles.pick}>
        <fieldset>
          <legend className={styles.legend}>Pick your blocks</legend>
          <div className={styles.choices}>
            {blocks.map(({ slug, name }) => (
              <label key={slug} className={styles.choice}>
                <input
                  type="checkbox"
                  name={PARAMETER}
                  value={slug}
                  checked={chosen.some((block) => block.slug === slug)}
                  onChange={syncUrl}
                  {...{ [CHECKED_BY_ATTRIBUTE]: `${PARAMETER}=${slug}` }}
                />
                {name}
              </label>
            ))}
          </div>
        </fieldset>
        <p className={styles.sets}>
          Or start with a{' '}
          {sets.map(({ name, blocks: some }, at) => (
            <span key={name}>
              {at > 0 && (at === sets.length - 1 ? ' or an ' : ', a ')}
              <Link to={assemblerPath(some)} preventScrollReset>
                {name.toLowerCase()}
              </Link>
            </span>
          ))}
          .
        </p>
        <Button type="submit" variant="primary" className={styles.submit}>
          Assemble
        </Button>
      </div>
      <div className={styles.plate} aria-hidden="true">
        <Picture art={plate} />
        {blocks.map(({ slug }) => (
          <span key={slug} className={styles.piece} data-part={slug}>
            <BlockGlyph name={slug} />
          </span>
        ))}
      </div>
      <div className={styles.parts}>
        <p className="label">Your parts</p>
        <ul className={styles.list} aria-label="Your parts">
          {blocks.map(({ slug, name }) => (
            <li key={slug} data-part={slug}>
              <span className={styles.count}>1 ×</span> {name}
            </li>
          ))}
        </ul>
        <p className={styles.none}>Nothing yet. Pick a block and it drops onto the plate.</p>
        <LiveRegion className="visually-hidden">
          {chosen.length > 0 ? `On your plate: ${chosen.map(({ name }) => name).join(', ')}` : ''}
        </LiveRegion>
        <div className={styles.actions}>
          <Button className={styles.share} icon="copy" onClick={() => void share()}>
            Copy the link
          </Button>
          {application && (
            <ButtonLink variant="primary" href={`${application}/auth/register`}>
              Start free
            </ButtonLink>
          )}
          <LiveRegion className={styles.copied}>
            {copied === null ? '' : copied ? 'Link copied' : 'Copy the address of this page instead'}
          </LiveRegion>
        </div>
      </div>
      <div className={styles.code}>
        <CodeSample
          title="Starter code (sample)"
          code={client + chosen.map(({ slug, name }) => starterCode(slug, name)).join('')}
        >
          <Highlighted code={client} />
          {blocks.map(({ slug, name }) => (
            <span key={slug} data-part={slug}>
              <Highlighted code={starterCode(slug, name)} />
            </span>
          ))}
        </CodeSample>
      </div>
    </form>
  );
}
