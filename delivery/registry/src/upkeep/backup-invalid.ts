import { IntegrityMismatchError } from '@site/artifacts/artifact-store';
import { ApiError } from '@site/server/api-error';
import { registryErrors } from '../kernel/registry-errors.ts';

export function invalid(problem: string, cause?: unknown): ApiError {
  return registryErrors.backup_invalid(problem, cause === undefined ? {} : { cause });
}

/** Converts errors caused by the archive's contents; returns others unchanged. */
export function explain(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof IntegrityMismatchError) return invalid('A file in it was changed.', error);
  const { code, message } = error as { code?: unknown; message?: string };
  // SQLSTATE class 22: invalid value for a column; 23: constraint violation.
  if (typeof code === 'string' && /^2[23]...$/.test(code))
    return invalid('Its rows do not fit together.', error);
  if (/^(Unexpected end of data|Invalid tar header|Invalid header|Header exceeds)/.test(message ?? '')) {
    return invalid('It is not a tar archive, or it was truncated or changed.', error);
  }
  return error;
}
