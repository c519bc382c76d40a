// Tells the edge of a shell that throws before the page answers: what tells of everything else (`signals/`) never comes then. Runs inline
// in <head>: plain, small, no imports. In syntax as new as the shell's: a browser that cannot read that is no version's fault.
void class {
  static {
    const address = '/__site/signals';

    async function tell(message, file, line, column) {
      if ('interactive' in document.documentElement.dataset) return;
      const data = document.getElementById('boot-data').textContent;
      const { frame, rendered, routes, remotes } = JSON.parse(data);
      const { path: route, remote: app } = routes.find(({ path }) => path === rendered);
      const { version } = remotes.find(({ name }) => name === app);
      const view = { number: 0, route, app, version, build: 'live' };
      const age = Math.round(performance.now());
      const { token } = await (await fetch(address)).json();
      const reports = [
        { kind: 'outcome', stretch: age > 8e3 ? 'later' : 'first', age, faulty: ['shell'], view },
        { kind: 'faults', faults: [{ kind: 'error', app: 'shell', message, file, line, column }], view },
      ];
      if (token)
        navigator.sendBeacon(
          address,
          JSON.stringify({ token, document: `${frame}/${app}@${version}`, reports }),
        );
    }

    if (!navigator.globalPrivacyControl && !navigator.connection?.saveData)
      addEventListener('error', ({ filename, lineno, colno, message, error }) => {
        const [file] = /\/assets\/shell\/.*/.exec(filename) ?? [];
        const text = `${error?.message ?? message}`.slice(0, 200);
        // The page may answer all the same, and then the shell tells of it.
        if (file) setTimeout(() => tell(text, file, lineno, colno).catch(() => {}), 1e3);
      });
  }
};
