import type { ComposeRequest } from '../create-composer.ts';

/** A request for one page, /blocks, whose component has this function body. */
export function sampleRequest(body: string): ComposeRequest {
  return {
    app: 'mfe-blocks',
    shell: Buffer.from(`module.exports = {
      shared: {},
      render: async ({ component }) => ({ head: '', html: '<main>' + (await component()) + '</main>' }),
    };`),
    remote: Buffer.from(`module.exports = { './page': async () => { ${body} } };`),
    config: {
      origin: 'https://example.com',
      mode: 'staging',
      gateway: { base: '', appId: 'gateway' },
      forms: { base: '', appId: 'forms' },
    },
    pages: [{ path: '/blocks', module: './page' }],
  };
}

export const loopingRequest = sampleRequest('for (;;);');
