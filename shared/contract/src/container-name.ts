/** The global name under which the federation container of an app is found: letters, digits and "_" only. */
export function containerName(app: string): string {
  return app.replaceAll('-', '_');
}
