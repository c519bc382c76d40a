export const jsonBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
