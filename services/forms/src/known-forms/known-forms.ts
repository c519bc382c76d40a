import { formSources, siteForms, type FormName } from '@site/contract';
import { formsErrors } from '../errors.ts';
import type { DeclaredForms } from './declared-forms.ts';
import { knownFormOf, type KnownForm } from './known-form.ts';

export interface KnownForms {
  /**
   * The forms with a `source_id`, newest first: a declared form has several versions during a rollout.
   * @param takes whether a form accepts the submission. If none does, the registry is queried again.
   * @throws ApiError `source_unknown`
   */
  of(sourceId: string, takes: (form: KnownForm) => boolean): Promise<readonly KnownForm[]>;
  /** The newest form, without a request. */
  newestOf(sourceId: string): KnownForm | undefined;
  /** By the name used in URLs: the name of a form of the site, or the identifier of a declared one. */
  named(name: string): Promise<KnownForm | undefined>;
}

const ofSite = new Map(
  Object.values(siteForms).map((definition) => [definition.sourceId, knownFormOf(definition, null)]),
);

export function createKnownForms(declared: DeclaredForms): KnownForms {
  const newestOf = (sourceId: string) => ofSite.get(sourceId) ?? declared.known(sourceId)[0];
  return {
    newestOf,
    async of(sourceId, takes) {
      const site = ofSite.get(sourceId);
      const forms = site ? [site] : await declared.find(sourceId, takes);
      if (forms.length > 0) return forms;
      throw formsErrors.source_unknown('There is no form with this "source_id".', {
        source: { pointer: '/source_id' },
      });
    },
    async named(name) {
      if (Object.hasOwn(formSources, name)) return ofSite.get(formSources[name as FormName]);
      return (await declared.find(name, () => true))[0];
    },
  };
}
