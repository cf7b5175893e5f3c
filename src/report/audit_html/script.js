'use strict';
(() => {
  const commits = Array.from(document.querySelectorAll('details.commit'));
  const filter = document.getElementById('filter');
  if (!filter) return;
  const [verdict, rule, search, count] =
    ['verdict', 'rule', 'search', 'count'].map((id) => document.getElementById(id));
  const texts = new Map();
  const textOf = (commit) => {
    if (!texts.has(commit)) texts.set(commit, commit.textContent.toLowerCase());
    return texts.get(commit);
  };
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const commit of commits) {
      const fits =
        (!verdict.value || commit.dataset.verdict === verdict.value) &&
        (!rule.value || commit.dataset.rules.split(' ').includes(rule.value)) &&
        (!words.length || words.every((word) => textOf(commit).includes(word)));
      commit.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    count.textContent = `${shown} of ${commits.length}`;
  };
  filter.hidden = false;
  filter.addEventListener('submit', (event) => event.preventDefault());
  for (const control of [verdict, rule, search]) control.addEventListener('input', apply);
  for (const cell of document.querySelectorAll('.rules th[scope=row]')) {
    const name = cell.firstChild.textContent;
    const link = document.createElement('a');
    link.href = '#commits';
    link.textContent = name;
    link.addEventListener('click', () => { rule.value = name; apply(); });
    cell.replaceChild(link, cell.firstChild);
  }
  // Paper cannot be clicked.
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = commits.filter((commit) => !commit.hidden && !commit.open);
    for (const commit of closed) commit.open = true;
  });
  addEventListener('afterprint', () => { for (const commit of closed) commit.open = false; });
  apply();
})();
