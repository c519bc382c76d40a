import { formSources, siteForms, type FormName } from '@site/contract';
import { formsErrors } from '../errors.ts';
import type { DeclaredForms } from './declared-forms.ts';
import { knownFormOf, type KnownForm } from './known-form.ts';

/** Finds the forms that may be sent. */
export interface KnownForms {
  /**
   * Those of a `source_id`, the newest first: of a remote's form there are several while a version takes the place of another.
   *
   * @param takes whether a form takes what was sent. Where none does, the registry is asked once more.
   * @throws ApiError `source_unknown`
   */
  of(sourceId: string, takes: (form: KnownForm) => boolean): Promise<readonly KnownForm[]>;
  /** The newest of them, without asking anybody; undefined when there is none. */
  newestOf(sourceId: string): KnownForm | undefined;
  /** The same by the name that stands in addresses: that of a form of the site, or the identifier of another one. */
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
