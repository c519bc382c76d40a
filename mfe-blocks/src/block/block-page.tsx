import { Link, Page, useBrand } from '@site/kit';
import { blockGlyphs } from '@site/ui/blocks/block-glyphs.art';
import { CallToAction } from '@site/ui/call-to-action';
import { Hero } from '@site/ui/hero';
import { Icon } from '@site/ui/icon';
import { later } from '@site/ui/later';
import { Picture } from '@site/ui/picture';
import { blocks } from '../pages/blocks-page.data.ts';
import { Content, type BlockContent } from './block-content.ts';
import styles from './block-page.module.css';

const BlockBody = later(() => import(/* webpackChunkName: "later-block" */ './block-body.tsx'));

/** The page of one block. The blocks differ only in content, so each page module is its content. */
export function blockPage(content: BlockContent): () => React.JSX.Element {
  const { slug, lead, description } = content;
  const at = blocks.findIndex((block) => block.slug === slug);
  const name = blocks[at]?.name ?? slug;

  return function BlockPage() {
    const { application, documentation } = useBrand();
    const start = { label: 'Start Using This Block', href: application && `${application}/auth/register` };
    return (
      <Page title={`${name} Block`} description={description}>
        {/* Above the fold. */}
        <>
          <nav className={`wrap ${styles.back}`} aria-label="Back">
            <Link to="/blocks">
              <Icon name="arrow-left" />
              All blocks
            </Link>
          </nav>
          <Hero
            eyebrow={`Part ${at + 1} of ${blocks.length}`}
            title={`${name} Block`}
            lead={lead}
            actions={[
              start,
              { label: 'View Documentation', to: '#calls' },
              ...(documentation ? [{ label: 'Solution page', href: documentation + slug }] : []),
            ]}
            figure={
              <div className={styles.plate}>
                <Picture first art={blockGlyphs[slug]} />
              </div>
            }
          />
        </>
        <Content value={content}>
          <BlockBody />
        </Content>
        <CallToAction
          title={`Snap on ${name}`}
          lead="Your first month is free in the stage environment, with no credit card."
          actions={[start, { label: 'Assemble your backend', to: `/blocks?block=${slug}#assemble` }]}
        />
      </Page>
    );
  };
}
