import { Page, useBrand } from '@site/kit';
import { blockGlyphs } from '@site/ui/blocks/block-glyphs.art';
import { Hero } from '@site/ui/hero';
import { later } from '@site/ui/later';
import { Picture } from '@site/ui/picture';
import { blocks } from '../pages/blocks-page.data.ts';
import { BackLink } from './back-link.tsx';
import { Content, type BlockContent } from './block-content.ts';
import styles from './block-page.module.css';

const BlockBody = later(() => import(/* webpackChunkName: "later-block" */ './block-body.tsx'));

/** The page of one block. The blocks differ only in content, so each page module is its content. */
export function blockPage(content: BlockContent): () => React.JSX.Element {
  const { slug, lead, description, calls } = content;
  const at = blocks.findIndex((block) => block.slug === slug);
  const name = blocks[at]?.name ?? slug;

  return function BlockPage() {
    const { application } = useBrand();
    return (
      <Page title={`${name} Block`} description={description}>
        {/* Above the fold. */}
        <>
          <BackLink to="/blocks" label="All blocks" />
          <Hero
            eyebrow={`Part ${at + 1} of ${blocks.length}`}
            title={`${name} Block`}
            lead={lead}
            actions={[
              { label: 'Start Using This Block', href: application && `${application}/auth/register` },
              { label: 'View Documentation', to: '#calls' },
            ]}
            figure={
              <div className={styles.plate}>
                <Picture first art={blockGlyphs[slug]} />
                <ul aria-label="Calls of this block">
                  {calls.map(({ request }) => (
                    <li key={request}>
                      <code>{request}</code>
                    </li>
                  ))}
                </ul>
              </div>
            }
          />
        </>
        <Content value={content}>
          <BlockBody />
        </Content>
      </Page>
    );
  };
}
