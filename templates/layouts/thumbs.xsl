<?xml version="1.0" encoding="UTF-8"?>
<!-- thumbs: a card for each memo, with a small picture beside its words; contact sheets. The originals stay at home, but
     for videos. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:import href="common.xsl"/>
  <xsl:import href="styles.xsl"/>

  <xsl:template name="memos"><xsl:apply-templates select="memo | sheet"/></xsl:template>

  <xsl:template match="memo">
    <xsl:apply-templates select="@day"/>
    <xsl:if test="photo[not(@kind)] or @numbers or @names or moment or place or text">
      <div xsl:use-attribute-sets="card">
        <xsl:call-template name="pictures"/>
        <xsl:choose>
          <!-- A short text keeps to its column, a long one flows on under the picture. -->
          <xsl:when test="photo and string-length(text) &lt;= 280 and (@numbers or @names or moment or place or text)">
            <div xsl:use-attribute-sets="card-column"><xsl:call-template name="words"/></div>
          </xsl:when>
          <xsl:when test="@numbers or @names or moment or place or text"><div><xsl:call-template name="words"/></div></xsl:when>
        </xsl:choose>
        <xsl:apply-templates select="photo[thumb]/@notice" mode="seen"/>
      </div>
    </xsl:if>
    <xsl:apply-templates select="photo[@kind='video']" mode="attached"/>
    <xsl:if test="following-sibling::*[1]"><xsl:call-template name="gap"/></xsl:if>
  </xsl:template>

  <!-- One picture stands at the left; a panorama, and several in a row, above. -->
  <xsl:template name="pictures">
    <xsl:variable name="seen" select="photo[thumb]"/>
    <xsl:choose>
      <xsl:when test="$seen[2]"><div xsl:use-attribute-sets="row-above"><xsl:apply-templates select="$seen" mode="row"/></div></xsl:when>
      <xsl:when test="$seen[@shape='panorama']"><div xsl:use-attribute-sets="card-above"><xsl:apply-templates select="$seen" mode="small"/></div></xsl:when>
      <xsl:when test="$seen"><div xsl:use-attribute-sets="card-left"><xsl:apply-templates select="$seen" mode="small"/></div></xsl:when>
    </xsl:choose>
    <xsl:apply-templates select="photo[not(thumb or @kind)]" mode="unseen"/>
  </xsl:template>

  <xsl:template name="words">
    <xsl:apply-templates select="." mode="caption"/>
    <xsl:apply-templates select="text"/>
  </xsl:template>

  <!-- A photo of which no small picture could be made comes as it is. -->
  <xsl:template match="photo" mode="unseen"><xsl:apply-templates select="." mode="large"/></xsl:template>

  <!-- A video stands below its card or sheet, and its name under it where the card does not have it. -->
  <xsl:template match="photo" mode="attached">
    <xsl:apply-templates select="." mode="large"/>
    <xsl:if test="../../self::sheet or not(../@names)"><xsl:apply-templates select="@label"/></xsl:if>
  </xsl:template>

  <!-- What went wrong with a photo of which there is a small picture nevertheless. -->
  <xsl:template match="@notice" mode="seen"><xsl:apply-templates select="."/></xsl:template>

  <!-- A run of photos without words: one caption for all, then rows. -->
  <xsl:template match="sheet">
    <xsl:apply-templates select="memo/@day"/>
    <div xsl:use-attribute-sets="sheet-caption">
      <xsl:if test="@numbers">
        <span xsl:use-attribute-sets="caption-detail"><xsl:value-of select="concat(@numbers, $dot)"/></span>
      </xsl:if>
      <xsl:if test="@clock"><b xsl:use-attribute-sets="caption-time"><xsl:value-of select="@clock"/></b></xsl:if>
      <span xsl:use-attribute-sets="caption-detail">
        <xsl:if test="memo/moment/@zone"><xsl:value-of select="concat(' ', memo/moment/@zone)"/></xsl:if>
        <xsl:if test="@clock"><xsl:value-of select="$dot"/></xsl:if>
        <xsl:value-of select="@label"/>
      </span>
    </div>
    <div xsl:use-attribute-sets="row"><xsl:apply-templates select="memo/photo[thumb]" mode="row"/></div>
    <xsl:apply-templates select="memo/photo[thumb]/@notice" mode="seen"/>
    <xsl:apply-templates select="memo/photo[@kind='video']" mode="attached"/>
    <xsl:if test="following-sibling::*[1]"><xsl:call-template name="gap"/></xsl:if>
  </xsl:template>

  <xsl:template match="photo" mode="row">
    <span xsl:use-attribute-sets="row-picture"><xsl:apply-templates select="." mode="small"/></span>
    <xsl:text> </xsl:text>
  </xsl:template>
</xsl:stylesheet>
