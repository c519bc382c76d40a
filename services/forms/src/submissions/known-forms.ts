import { formSources, siteForms, type FormName } from '@site/contract';
import { formsErrors } from '../kernel/errors.ts';
import type { DeclaredForms } from './declared-forms.ts';
import { createKnownForm, type KnownForm } from './known-form.ts';

export interface KnownForms {
  /**
   * The forms with a `source_id`, newest first: a declared form has several versions during a rollout.
   * @param accepts whether a form accepts the submission. If none does, the registry is queried again.
   * @throws ApiError `source_unknown`
   */
  find(sourceId: string, accepts: (form: KnownForm) => boolean): Promise<readonly KnownForm[]>;
  findNewest(sourceId: string): KnownForm | undefined;
  findNamed(name: string): Promise<KnownForm | undefined>;
}

const siteKnownForms = new Map(
  Object.values(siteForms).map((definition) => [definition.sourceId, createKnownForm(definition, null)]),
);

export function createKnownForms(declared: DeclaredForms): KnownForms {
  const findNewest = (sourceId: string) => siteKnownForms.get(sourceId) ?? declared.known(sourceId)[0];
  return {
    findNewest,
    async find(sourceId, accepts) {
      const site = siteKnownForms.get(sourceId);
      const forms = site ? [site] : await declared.find(sourceId, accepts);
      if (forms.length > 0) return forms;
      throw formsErrors.source_unknown('There is no form with this "source_id".', {
        source: { pointer: '/source_id' },
      });
    },
    async findNamed(name) {
      if (Object.hasOwn(formSources, name)) return siteKnownForms.get(formSources[name as FormName]);
      return (await declared.find(name, () => true))[0];
    },
  };
}
