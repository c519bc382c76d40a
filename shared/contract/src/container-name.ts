/** The global name of an app's federation container: letters, digits and "_" only. */
export function containerName(app: string): string {
  return app.replaceAll('-', '_');
}
