// The home page: sheets are written when they come into sight.

import 'kasta/page.js';

const seen = new IntersectionObserver(
  entries => {
    for (const { target, isIntersecting } of entries) {
      target.classList.toggle('unseen', !isIntersecting);
      if (isIntersecting) {
        seen.unobserve(target);
      }
    }
  },
  { threshold: 0.5 },
);

for (const picture of document.querySelectorAll('.game .sheet-picture')) {
  seen.observe(picture);
}
