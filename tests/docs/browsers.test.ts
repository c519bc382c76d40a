import { SUPPORTED_BROWSERS } from '@site/build/supported-browsers';
import { readText } from './read-documents.ts';

const versions = new Map(SUPPORTED_BROWSERS.map((query) => query.split(' ') as [string, string]));

test('the documents name the oldest browsers that the builds support', () => {
  const read = (file: string) => readText(file).replace(/\s+/g, ' ');
  const [chrome, firefox, safari] = ['chrome', 'firefox', 'safari'].map((name) => versions.get(name));
  expect([versions.get('edge'), versions.get('ios_saf')]).toEqual([chrome, safari]);
  expect(read('docs/browsers.md')).toContain(`| supported | ${chrome} | ${firefox} | ${safari} |`);
  expect(read('README.md')).toContain(`Chrome and Edge ${chrome}, Firefox ${firefox} and Safari ${safari}`);
});
