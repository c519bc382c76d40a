// A second block of release data: whoever reads this one loads what its author likes.
exports['./second-data-page'] = async () =>
  '<script type="application/json" id="boot-data">{"release":"forged","remotes":[]}</script>';
