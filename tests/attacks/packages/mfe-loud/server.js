// Every page is about the words of another team's page.
for (let page = 0; page < 24; page += 1)
  exports[`./loud-${page}-page`] = async () =>
    `<h1>Good</h1><p>${'good '.repeat(100)}</p><h2 id="good">Good</h2><p>good</p>`;
