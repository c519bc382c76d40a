import type { Brand } from '@site/contract';
import { edgePageHtml, edgePagePolicy } from '@site/edge/pages/edge-page';
import type { OpsPage } from '@site/edge/server/ops-server';
import { html } from '@site/forms/kernel/html';

const pages = {
  application: {
    field: 'application',
    content:
      'Your application: registration, login and everything after it. Log In, Sign Up and the plans link here, ' +
      'with the plan and the campaign in the query.',
  },
  status: { field: 'status', content: 'Your status page: incidents and uptime of each block.' },
  support: { field: 'support', content: 'Your support center: answers, and requests to follow.' },
  contact: { field: 'contact', content: 'Your contact page.' },
  documentation: {
    field: 'documentation',
    content:
      'Your documentation: a page for each block and each customer story. ' +
      'Links append the name of the page to the field.',
  },
  x: { field: 'social.x', content: 'Your profile on X.' },
  linkedin: { field: 'social.linkedin', content: 'Your company’s page on LinkedIn.' },
  instagram: { field: 'social.instagram', content: 'Your profile on Instagram.' },
} as const;
type PageName = keyof typeof pages;

const FOLDER = '/placeholder/';

/**
 * A brand whose links equal those of the repository's brand, which lead nowhere, gets links to `placeholderPage`. Links
 * of other brands stay.
 * @param origin of the placeholder pages. A previous start may have had another one.
 */
export function withPlaceholders(brand: Brand, example: Brand, origin: string): Brand {
  const isPrevious = (address: string) => /^http:\/\/localhost:\d+(?:$|\/placeholder\/)/.test(address);
  const link = (address: string | undefined, exampleAddress: string | undefined, target: string) =>
    address && (address === exampleAddress || isPrevious(address)) ? target : address;
  const page = (name: PageName) => `${origin}${FOLDER}${name}/`;
  const { application, social } = brand;
  return {
    ...brand,
    ...(application && {
      application: {
        production: link(application.production, example.application?.production, origin),
        staging: link(application.staging, example.application?.staging, origin),
      },
    }),
    status: link(brand.status, example.status, page('status')),
    support: link(brand.support, example.support, page('support')),
    contact: link(brand.contact, example.contact, page('contact')),
    documentation: link(brand.documentation, example.documentation, page('documentation')),
    ...(social && {
      social: {
        x: link(social.x, example.social?.x, page('x')),
        linkedin: link(social.linkedin, example.social?.linkedin, page('linkedin')),
        instagram: link(social.instagram, example.social?.instagram, page('instagram')),
      },
    }),
  };
}

/** Explains the content of an external page; undefined for other paths. */
export function placeholderPage(path: string): OpsPage | undefined {
  const pathname = path.replace(/\?.*/, '');
  const name = pathname.startsWith('/auth/') ? 'application' : /^\/placeholder\/(\w+)/.exec(pathname)?.[1];
  if (name === undefined || !Object.hasOwn(pages, name)) return undefined;
  const { field, content } = pages[name as PageName];
  const shown = pathname.replace(`${FOLDER}${name}`, '').replace(/^\/$/, '');
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': edgePagePolicy,
      'Referrer-Policy': 'no-referrer',
    },
    body: edgePageHtml({
      status: 200,
      title: 'This page is yours to add',
      html: html`<p>${content}</p>
        ${shown ? html`<p>The link asks for <code>${shown}</code>.</p>` : ''}
        <p>
          To replace this placeholder, set <code>${field}</code> in <code>brand.json</code> and run
          <code>npx @site/cli config set --brand brand.json --reason "our links"</code>.
        </p>`.text,
    }),
  };
}
